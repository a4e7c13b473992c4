package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.hibernate.GeneratedId;

/** Every type of ID is drawn, into every type of attribute that takes one. */
@Entity
public class Ticket {
    @Id
    @GeneratedId(Muid.class)
    public UUID id;

    @GeneratedId
    public Sno sno;

    @GeneratedId
    public Muid muid;

    @GeneratedId
    public EightByteId eightByte;

    @GeneratedId
    public Uid60 uid60;

    @GeneratedId
    public Gid gid;

    @GeneratedId
    public VolumeId volume;

    @GeneratedId
    public LogId log;

    @GeneratedId
    public SegmentId segment;

    @GeneratedId(LogId.class)
    public Gid gidOfLog;

    @GeneratedId(EightByteId.class)
    public Long number;

    @GeneratedId(Sno.class)
    public byte[] bytes;

    @GeneratedId(SegmentId.class)
    public String text;

    @GeneratedId(Sno.class)
    public UUID uuid;
}
