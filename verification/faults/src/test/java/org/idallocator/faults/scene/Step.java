package org.idallocator.faults.scene;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;

/** What a replica's transaction does with slots, told from the bytes of the request. */
public enum Step {
    /** A lease appears. */
    CLAIM,
    /** Records rise, leases stay. */
    RENEWAL,
    /** A lease goes. */
    RELEASE;

    private static final int HEADER_BYTES = 8;
    private static final String LEASES = "/leases/";
    private static final String RECORDS = "/records/";

    /** The step of a request (without its length); empty for requests of another kind. */
    static Optional<Step> of(byte[] request) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(request));
        if (request.length < HEADER_BYTES || xid(request) < 0 || in.skipBytes(Integer.BYTES) < 0) {
            return Optional.empty();
        }
        if (in.readInt() != OpCode.multi) {
            return Optional.empty();
        }
        MultiOperationRecord transaction = new MultiOperationRecord();
        transaction.deserialize(BinaryInputArchive.getArchive(in), "multi");
        Optional<Step> step = Optional.empty();
        for (Op op : transaction) {
            if (op.getPath().contains(LEASES) && op.getType() == OpCode.create) {
                return Optional.of(CLAIM);
            } else if (op.getPath().contains(LEASES) && op.getType() == OpCode.delete) {
                return Optional.of(RELEASE);
            } else if (op.getPath().contains(RECORDS) && op.getType() == OpCode.setData) {
                step = Optional.of(RENEWAL);
            }
        }
        return step;
    }

    /** Which request a frame is, or which it answers; negative for what is neither. */
    static int xid(byte[] frame) throws IOException {
        return frame.length < Integer.BYTES ? -1 : new DataInputStream(new ByteArrayInputStream(frame)).readInt();
    }
}
