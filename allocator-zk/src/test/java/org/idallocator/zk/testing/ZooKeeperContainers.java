package org.idallocator.zk.testing;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * ZooKeepers as containers on a network of their own. A member that was killed comes back as the same container, with
 * its data. Its port is bound and not mapped, as a mapped port would change.
 */
public final class ZooKeeperContainers extends ZooKeepers {
    private static final int CLIENT_PORT = 2181;

    /** Linux gives a thread of normal priority 1,024. */
    private static final int CPU_SHARES = 8 * 1_024;

    private final DockerClient docker = DockerClientFactory.instance().client();
    private final Network network = Network.newNetwork();
    private final Map<Integer, Member> members = new TreeMap<>();

    public ZooKeeperContainers(int members) {
        super(members);
    }

    /** One container, and the note that it was started. */
    private record Member(GenericContainer<?> container, Leftovers.Note note) {
        String id() {
            return container.getContainerId();
        }

        void stop() {
            container.stop();
            note.close();
        }
    }

    @Override
    void start(int member) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(IMAGE))
                .withNetwork(network)
                .withNetworkAliases(alias(member))
                .withExposedPorts(CLIENT_PORT)
                .withEnv(environment(member))
                .withCreateContainerCmdModifier(this::share)
                .waitingFor(new NoWaiting());
        container.setPortBindings(List.of("127.0.0.1:" + port(member) + ":" + CLIENT_PORT));
        container.start();
        members.put(member, new Member(container, Leftovers.container(container.getContainerId())));
    }

    /**
     * Gives a member as much of a busy machine's processors as some threads of the tests have. Containers are one
     * group, and with the older kind of control groups all of them together get as much as one thread outside: requests
     * of a test then take seconds. With systemd, groups have other names, and a group of their own for all that is not
     * a container.
     */
    private void share(CreateContainerCmd command) {
        if ("cgroupfs".equals(docker.infoCmd().exec().getRawValues().get("CgroupDriver"))) {
            HostConfig host = Objects.requireNonNull(command.getHostConfig());
            host.withCgroupParent("/").withCpuShares(CPU_SHARES);
        }
    }

    private Map<String, String> environment(int member) {
        Map<String, String> environment = new TreeMap<>(Map.of(
                "ZOO_MY_ID", Integer.toString(member + 1),
                "ZOO_TICK_TIME", Integer.toString(TICK_MILLIS),
                "ZOO_INIT_LIMIT", "20",
                "ZOO_SYNC_LIMIT", "10",
                "ZOO_MAX_CLIENT_CNXNS", "0",
                "ZOO_ADMINSERVER_ENABLED", "false",
                "ZOO_CFG_EXTRA", "maxSessionTimeout=60000",
                "JVMFLAGS",
                        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx" + HEAP_MEGABYTES + "m "
                                + NO_WAIT_FOR_THE_DISK));
        if (size() > 1) {
            environment.put("ZOO_SERVERS", servers());
        }
        return environment;
    }

    private String servers() {
        return IntStream.range(0, size())
                .mapToObj(i -> "server." + (i + 1) + "=" + alias(i) + ":2888:3888;" + CLIENT_PORT)
                .collect(Collectors.joining(" "));
    }

    private static String alias(int member) {
        return "zookeeper-" + (member + 1);
    }

    private String id(int member) {
        Member started = members.get(member);
        if (started == null) {
            throw new IllegalArgumentException("no member " + member + " was started");
        }
        return started.id();
    }

    @Override
    public void kill(int member) {
        docker.killContainerCmd(id(member)).exec();
    }

    @Override
    public void restart(int member) {
        docker.startContainerCmd(id(member)).exec();
    }

    @Override
    public void pause(int member) {
        docker.pauseContainerCmd(id(member)).exec();
    }

    @Override
    public void resume(int member) {
        docker.unpauseContainerCmd(id(member)).exec();
    }

    @Override
    public void close() {
        members.values().forEach(Member::stop);
        network.close();
    }

    /** Waits for no member: members wait for each other, and the ensemble is awaited as a whole. */
    private static final class NoWaiting extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {}
    }
}
