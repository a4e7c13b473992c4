package org.idallocator.hibernate;

import org.hibernate.dialect.Dialect;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.idallocator.core.id.Id;
import org.jspecify.annotations.Nullable;

/** What Hibernate asks of a type of ID: its column, and the ID to and from what JDBC has. */
final class IdJavaType<T extends Id> extends AbstractClassJavaType<T> {
    private static final long serialVersionUID = 1L;

    private final transient IdForms<T> forms;

    IdJavaType(IdForms<T> forms) {
        super(forms.type());
        this.forms = forms;
    }

    @Override
    public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
        return indicators.getJdbcType(forms.column());
    }

    @Override
    public long getDefaultSqlLength(Dialect dialect, JdbcType column) {
        return column.isString() ? forms.textLength() : forms.bytes();
    }

    @Override
    public T fromString(CharSequence text) {
        return forms.read(text.toString());
    }

    @Override
    public <X> @Nullable X unwrap(@Nullable T id, Class<X> as, WrapperOptions options) {
        return id == null ? null : forms.write(id, as);
    }

    @Override
    public <X> @Nullable T wrap(@Nullable X value, WrapperOptions options) {
        return value == null ? null : forms.read(value);
    }
}
