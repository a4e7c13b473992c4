package com.example.mybatisplus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdsTest {
    private static final String TABLES = """
            drop all objects;
            create table numbered (id bigint primary key, previous varbinary(10));
            create table texts (id char(16) primary key);
            create table typed (id binary(10) primary key);
            create table assigned (id binary(10) primary key);
            """;

    private SqlSession session;

    @TableName("numbered")
    static class Numbered {
        @TableId(type = IdType.ASSIGN_ID)
        Long id;

        Sno previous;
    }

    @TableName("texts")
    static class Text {
        @TableId(type = IdType.ASSIGN_UUID)
        String id;
    }

    @TableName("typed")
    static class Typed {
        @TableId(type = IdType.INPUT)
        Sno id;
    }

    @TableName("assigned")
    static class Assigned {
        @TableId(type = IdType.ASSIGN_ID)
        Sno id;
    }

    interface NumberedMapper extends BaseMapper<Numbered> {}

    interface TextMapper extends BaseMapper<Text> {}

    interface TypedMapper extends BaseMapper<Typed> {}

    interface AssignedMapper extends BaseMapper<Assigned> {}

    @BeforeEach
    void open() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:mybatis;DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
        MybatisConfiguration configuration =
                new MybatisConfiguration(new Environment("test", new JdbcTransactionFactory(), database));
        configuration.getTypeHandlerRegistry().register(SnoHandler.class);
        GlobalConfigUtils.setGlobalConfig(
                configuration, GlobalConfigUtils.defaults().setIdentifierGenerator(new Ids(TestIds.all())));
        configuration.addMapper(NumberedMapper.class);
        configuration.addMapper(TextMapper.class);
        configuration.addMapper(TypedMapper.class);
        configuration.addMapper(AssignedMapper.class);
        session = new MybatisSqlSessionFactoryBuilder().build(configuration).openSession(true);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void shouldAssignUid60sToNumbersAndSnosToTexts() {
        IdGenerators same = TestIds.all();
        Numbered numbered = new Numbered();
        session.getMapper(NumberedMapper.class).insert(numbered);
        Text text = new Text();
        session.getMapper(TextMapper.class).insert(text);

        assertEquals(same.of(Uid60.class).next(), Uid60.fromLong(numbered.id));
        assertEquals(same.of(Sno.class).next().toString(), text.id);
    }

    @Test
    void shouldStoreIdsAsBytes() {
        Numbered numbered = new Numbered();
        numbered.previous = TestIds.all().of(Sno.class).next();
        NumberedMapper mapper = session.getMapper(NumberedMapper.class);
        mapper.insert(numbered);

        assertEquals(numbered.previous, mapper.selectById(numbered.id).previous);
    }

    @Test
    void shouldReadNullWhenThereIsNoId() {
        Numbered numbered = new Numbered();
        NumberedMapper mapper = session.getMapper(NumberedMapper.class);
        mapper.insert(numbered);

        assertNull(mapper.selectById(numbered.id).previous);
    }

    @Test
    void shouldTakeAnIdThatTheProgramDrew() {
        Typed typed = new Typed();
        typed.id = TestIds.all().of(Sno.class).next();
        TypedMapper mapper = session.getMapper(TypedMapper.class);
        mapper.insert(typed);

        assertEquals(typed.id, mapper.selectById(typed.id).id);
    }

    /** The page says so. Where this begins to work, the page can say less. */
    @Test
    void shouldNotAssignToAnAttributeOfTheIdsOwnType() {
        AssignedMapper mapper = session.getMapper(AssignedMapper.class);

        assertThrows(PersistenceException.class, () -> mapper.insert(new Assigned()));
    }
}
