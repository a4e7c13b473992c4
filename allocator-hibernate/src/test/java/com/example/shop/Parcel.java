package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;

/** Every type of ID in every column that it can be in. */
@Entity
public class Parcel {
    @Id
    public Integer number;

    public Sno sno;

    @JdbcTypeCode(SqlTypes.BINARY)
    public Sno snoFixed;

    @JdbcTypeCode(SqlTypes.UUID)
    public Sno snoUuid;

    @JdbcTypeCode(SqlTypes.VARCHAR)
    public Sno snoText;

    public Muid muid;

    @JdbcTypeCode(SqlTypes.UUID)
    public Muid muidUuid;

    @JdbcTypeCode(SqlTypes.VARCHAR)
    public Muid muidText;

    public EightByteId eightByte;

    @JdbcTypeCode(SqlTypes.VARCHAR)
    public EightByteId eightByteText;

    public Uid60 uid60;

    @JdbcTypeCode(SqlTypes.VARCHAR)
    public Uid60 uid60Text;

    @JdbcTypeCode(SqlTypes.VARBINARY)
    public Uid60 uid60Bytes;

    public Gid gid;

    @JdbcTypeCode(SqlTypes.UUID)
    public Gid gidUuid;

    @JdbcTypeCode(SqlTypes.VARCHAR)
    public Gid gidText;

    public VolumeId volume;

    public LogId log;

    @JdbcTypeCode(SqlTypes.UUID)
    public SegmentId segment;
}
