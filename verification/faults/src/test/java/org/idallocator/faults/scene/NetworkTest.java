package org.idallocator.faults.scene;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final int HANG_GUARD_MILLIS = (int) HangGuard.TIME.toMillis();
    private static final byte[] GREETING = {0, 0, 0, 0};
    private static final Op CHECK = Op.check("/id-allocator/meta", 0);
    private static final Op RAISE = Op.setData("/id-allocator/sno/records/0001", new byte[3], 7);

    private ServerSocket server;
    private Network network;
    private Socket client;
    private Socket accepted;
    private DataOutputStream toServer;
    private DataInputStream atServer;
    private DataOutputStream toClient;
    private DataInputStream atClient;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        network = new Network(List.of("127.0.0.1:" + server.getLocalPort()));
        String address = network.connectString();
        client = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        accepted = server.accept();
        client.setSoTimeout(HANG_GUARD_MILLIS);
        accepted.setSoTimeout(HANG_GUARD_MILLIS);
        toServer = new DataOutputStream(client.getOutputStream());
        atServer = new DataInputStream(accepted.getInputStream());
        toClient = new DataOutputStream(accepted.getOutputStream());
        atClient = new DataInputStream(client.getInputStream());
        send(toServer, GREETING);
        assertArrayEquals(GREETING, receive(atServer));
    }

    @AfterEach
    void close() throws IOException {
        network.close();
        client.close();
        accepted.close();
        server.close();
    }

    private static void send(DataOutputStream out, byte[] frame) throws IOException {
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }

    private static byte[] receive(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static byte[] transaction(int xid, Op... ops) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(xid);
        out.writeInt(OpCode.multi);
        new MultiOperationRecord(List.of(ops)).serialize(BinaryOutputArchive.getArchive(out), "multi");
        return bytes.toByteArray();
    }

    private static byte[] answer(int xid) {
        return new byte[] {0, 0, 0, (byte) xid, 1, 2, 3};
    }

    @Test
    void shouldTellStepsApart() throws IOException {
        Op lease = Op.create("/id-allocator/sno/leases/0001", new byte[0], List.of(), 1);
        Op gone = Op.delete("/id-allocator/sno/leases/0001", -1);
        Op member = Op.create("/id-allocator/members/a", new byte[0], List.of(), 1);
        Op leaseThere = Op.check("/id-allocator/sno/leases/0001", -1);
        assertEquals(Optional.of(Step.CLAIM), Step.of(transaction(1, CHECK, lease, RAISE)));
        assertEquals(Optional.of(Step.RENEWAL), Step.of(transaction(1, CHECK, leaseThere, RAISE)));
        assertEquals(Optional.of(Step.RELEASE), Step.of(transaction(1, RAISE, gone)));
        assertEquals(Optional.empty(), Step.of(transaction(1, member)));
        assertEquals(Optional.empty(), Step.of(new byte[] {0, 0, 0, 1, 0, 0, 0, 4, 0, 0}));
        assertEquals(Optional.empty(), Step.of(new byte[] {-1, -1, -1, -2, 0, 0, 0, 11}));
    }

    @Test
    void shouldHoldBackRequestsAloneUntilHealed() throws IOException {
        network.shut(Network.Direction.REQUESTS);
        send(toServer, answer(1));
        accepted.setSoTimeout(200);
        assertThrows(SocketTimeoutException.class, () -> receive(atServer));
        send(toClient, answer(2));
        assertArrayEquals(answer(2), receive(atClient));
        network.heal();
        accepted.setSoTimeout(HANG_GUARD_MILLIS);
        assertArrayEquals(answer(1), receive(atServer));
    }

    @Test
    void shouldHoldBackAnswersAloneUntilHealed() throws IOException {
        network.shut(Network.Direction.ANSWERS);
        send(toServer, answer(1));
        assertArrayEquals(answer(1), receive(atServer));
        send(toClient, answer(2));
        client.setSoTimeout(200);
        assertThrows(SocketTimeoutException.class, () -> receive(atClient));
        network.heal();
        client.setSoTimeout(HANG_GUARD_MILLIS);
        assertArrayEquals(answer(2), receive(atClient));
    }

    @Test
    void shouldLoseTheOneAnswerAndItsConnection() throws IOException {
        network.loseAnswer(Step.RENEWAL);
        byte[] renewal = transaction(9, CHECK, RAISE);
        send(toServer, renewal);
        assertArrayEquals(renewal, receive(atServer));
        send(toClient, answer(8));
        assertArrayEquals(answer(8), receive(atClient));
        send(toClient, answer(9));
        assertThrows(EOFException.class, () -> receive(atClient));
        await().until(() -> network.lost() == 1);
    }
}
