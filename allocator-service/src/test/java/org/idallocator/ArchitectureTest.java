package org.idallocator;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture.LayerDependencySpecification;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Date;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.ArchitectureTest.OwnClasses;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.testing.ProofOnly;

/** Imports go one way, over all modules, and one package alone reads a clock. */
@AnalyzeClasses(packages = "org.idallocator", importOptions = OwnClasses.class)
class ArchitectureTest {
    private static final String CLOCK = "org.idallocator.core.clock..";

    /** Neither tests nor what tests share in test-jars. */
    static final class OwnClasses implements ImportOption {
        private final DoNotIncludeTests tests = new DoNotIncludeTests();

        @Override
        public boolean includes(Location location) {
            return tests.includes(location) && !location.contains("-tests.jar");
        }
    }

    @ArchTest
    static final ArchRule modulesDependOneWay = layers("org.idallocator", """
            core..       | zk.. dropwizard.. service..
            zk..         | dropwizard.. service..
            dropwizard.. | service..
            service..    |
            """);

    @ArchTest
    static final ArchRule coreDependsOneWay = layers("org.idallocator.core", """
            id..        | testing.. scheme.. generator.. fence.. clock..
            clock..     | testing.. scheme.. generator.. fence..
            fence..     | testing.. scheme.. generator..
            generator.. | testing.. scheme..
            scheme..    | testing..
            testing..   |
            """);

    @ArchTest
    static final ArchRule zkDependsOneWay = layers("org.idallocator", """
            zk.store    | zk zk.operator zk.lease zk.era zk.znode
            zk.znode    | zk.operator zk.lease zk.era
            zk.era      | zk.operator zk.lease
            zk.lease    | zk
            zk.operator | zk
            zk          |
            zk.settings | zk zk.operator zk.lease zk.era zk.znode zk.store
            """);

    /** Each line has a package, and after the bar those that may know it. */
    private static ArchRule layers(String root, String packages) {
        LayeredArchitecture rule = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String line : packages.lines().toList()) {
            String layer = line.split("\\|", -1)[0].strip();
            rule = rule.layer(layer).definedBy(root + "." + layer);
        }
        for (String line : packages.lines().toList()) {
            String[] layer = line.split("\\|", -1);
            String known = layer[1].strip();
            LayerDependencySpecification of = rule.whereLayer(layer[0].strip());
            rule = known.isEmpty()
                    ? of.mayNotBeAccessedByAnyLayer()
                    : of.mayOnlyBeAccessedByLayers(known.split(" ", -1));
        }
        return rule;
    }

    /** A package that is in none of the layers above would be bound by no rule. */
    @ArchTest
    static final ArchRule zkHasNoOtherRooms = classes()
            .that()
            .resideInAPackage("org.idallocator.zk..")
            .should()
            .resideInAPackage("org.idallocator.zk.[operator|lease|era|znode|store|settings]")
            .orShould()
            .resideInAPackage("org.idallocator.zk");

    @ArchTest
    static final ArchRule roomsOfDropwizardHaveNoCycles =
            slices().matching("org.idallocator.dropwizard.(*)..").should().beFreeOfCycles();

    /** Bundle and setup put the rooms together, so that none of these knows them. */
    @ArchTest
    static final ArchRule roomsOfDropwizardKnowNothingAbove = noClasses()
            .that()
            .resideInAPackage("org.idallocator.dropwizard.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.dropwizard");

    /** What programs use of zk; other types are public for the rooms of that module only. */
    private static final Set<String> ZK_FOR_PROGRAMS = words("""
            IdAllocator IdSource AllocatorSettings ZooKeeperSettings Replica Shown Software HeldSlot Drained
            Rotated SchemeStatus LeaseCounts LeaseNode ClusterView
            ClusterState MemberView PoolView Holder LeaseView Revocation Retired Doctor Check
            FenceRestore NothingRestored Relayout FirstStart Term Terms Outage RefusedException UnreachableException
            """);

    @ArchTest
    static final ArchRule programsUseWhatIsMeantForThem = noClasses()
            .that()
            .resideOutsideOfPackage("org.idallocator.zk..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.idallocator.zk..")
                    .and(describe(
                            "are not for programs",
                            type -> !ZK_FOR_PROGRAMS.contains(type.getName().replaceAll(".*\\.|\\$.*", "")))));

    /** What programs use of core. Each of these is a promise; README and the pages of these types say what it is. */
    private static final Set<String> FOR_PROGRAMS = words("""
            clock.Clock clock.ScriptedClock fence.FenceReason fence.FencedException generator.GidGenerator
            generator.IdGenerator generator.IdGenerators generator.MuidGenerator generator.MuidTransaction
            generator.OverCapacityException generator.Overflow generator.OverflowListener generator.SnoGenerator
            generator.SnoPorter generator.SnoRange generator.SnoSnapshot generator.Variant
            generator.WaitListener id.BadValueException id.EightByteId id.Gid id.GidType id.Id id.IdFormatException id.IdReader
            id.IdSink id.LogId id.Muid id.SegmentId id.Sno id.SnoPartition id.Uid60 id.VolumeId
            scheme.EightByteScheme scheme.GidScheme scheme.LocalIds scheme.MuidScheme scheme.Scheme
            scheme.Schemes scheme.SnoScheme scheme.Uid60Scheme testing.TestIds
            """);

    /** What is public in core for its own packages and for the other modules only. */
    private static final Set<String> FOR_MODULES = words("""
            clock.TickUnit fence.Fence fence.TenureSource generator.EightByteGenerator generator.Generator
            generator.GeneratorsByType generator.LoadBalancer generator.RandomBits generator.Taken
            generator.Uid60Generator id.Bounds id.IdTextWriter id.IdType scheme.Allowed scheme.Handover
            scheme.Parameter scheme.SchemeOptions scheme.SlotNames scheme.SlotPool scheme.UnknownSchemeException
            """);

    /** What programs use of dropwizard: promises, too. */
    private static final Set<String> DROPWIZARD_FOR_PROGRAMS = words("""
            IdAllocatorBundle config.AllocatorSection embedded.EmbeddedStartException
            """);

    /**
     * What is public in dropwizard for the service; other types are public for the rooms of that module only. Of a type
     * with nothing but constants the service's classes keep no trace.
     */
    private static final Set<String> DROPWIZARD_FOR_SERVICE = words("""
            AllocatorCommands AllocatorSetup ConsolePlace cli.AllocatorCommand cli.FailurePrinter cli.Failures
            cli.Output cli.Program cli.Streams cli.Waiting config.AllocatorSection config.BadFileReporter config.Checks
            config.CorsSection config.EmbeddedSection config.Key config.LimitsSection console.ApplicationPort
            decode.Forms embedded.ZooKeeperInUse health.HealthSetup http.BasePath http.CommonHeaders http.Connectors http.RequestPermit http.Route
            ids.BusyException ids.IdAnswer ids.IdRequest ids.IdService ids.Limit ids.Limits ids.Media ids.Places
            logging.QuietLoggers logging.RepetitionFilter metrics.Meters problems.Problem
            problems.ProblemErrorHandler problems.ProblemType problems.Problems process.ExitStatus
            resources.HttpApi
            """);

    @ArchTest
    static void serviceUsesWhatIsMeantForIt(JavaClasses all) {
        String dropwizard = "org.idallocator.dropwizard.";

        assertEquals(
                new TreeSet<>(DROPWIZARD_FOR_SERVICE),
                all.stream()
                        .filter(type -> type.getName().startsWith("org.idallocator.service."))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(Dependency::getTargetClass)
                        .map(type -> type.getBaseComponentType().getName())
                        .filter(name -> name.startsWith(dropwizard))
                        .map(name -> name.substring(dropwizard.length()).replaceAll("\\$.*", ""))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    @ArchTest
    static void coreIsPublicAsListed(JavaClasses all) {
        String core = "org.idallocator.core.";
        Set<String> listed = new TreeSet<>(FOR_PROGRAMS);
        listed.addAll(FOR_MODULES);

        assertEquals(
                listed,
                all.stream()
                        .filter(type -> type.getName().startsWith(core)
                                && type.isTopLevelClass()
                                && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(type -> type.getName().substring(core.length()))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** A line that goes breaks programs: whoever means it takes the list from {@code target}. */
    @ArchTest
    @ArchTag(ProofOnly.TAG) // newer JDKs write signatures in another way
    static void coreKeepsItsSignatures(JavaClasses all) throws IOException {
        assertKept(all, "core", FOR_PROGRAMS);
    }

    @ArchTest
    @ArchTag(ProofOnly.TAG)
    static void dropwizardKeepsItsSignatures(JavaClasses all) throws IOException {
        assertKept(all, "dropwizard", DROPWIZARD_FOR_PROGRAMS);
    }

    private static void assertKept(JavaClasses all, String module, Set<String> types) throws IOException {
        String signatures = types.stream()
                .sorted()
                .map(name -> all.get("org.idallocator." + module + "." + name).reflect())
                .flatMap(ArchitectureTest::signatures)
                .collect(Collectors.joining("\n", "", "\n"));

        Files.writeString(Path.of("target", module + "-signatures.txt"), signatures);
        assertEquals(Files.readString(Path.of("..", "allocator-" + module, "signatures.txt")), signatures);
    }

    /**
     * With what it inherits from types that programs do not see, and with what programs override where they extend it.
     */
    private static Stream<String> signatures(Class<?> type) {
        Stream<Member> overridden = Stream.<Member>of(type.getDeclaredMethods())
                .filter(method -> Modifier.isProtected(method.getModifiers()));
        Stream<Member> called = Stream.<Member[]>of(type.getConstructors(), type.getMethods(), type.getFields())
                .flatMap(Arrays::stream);
        Stream<String> members = Stream.concat(called, overridden)
                .filter(member -> member.getDeclaringClass() != Object.class && !member.isSynthetic())
                .map(member -> member instanceof Executable code ? code.toGenericString() : member.toString());
        Stream<String> above = Stream.concat(
                        Stream.of(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .filter(Objects::nonNull)
                .map(parent -> "is " + parent.getTypeName());
        return Stream.concat(
                Stream.of(type.toGenericString()),
                Stream.concat(above, members)
                        .map(line -> "    " + line)
                        .distinct()
                        .sorted());
    }

    /** Whoever takes past the queue enters a tick before those who wait are served. */
    @ArchTest
    static final ArchRule onlyTheQueueTakes = noClasses()
            .that(not(assignableTo(Generator.class)))
            .and()
            .doNotHaveSimpleName("FairQueue")
            .should()
            .accessTargetWhere(target(name("take")).and(target(owner(assignableTo(Generator.class)))));

    /** So one that comes is Jersey's own, and its words say no more than its status. */
    @ArchTest
    static final ArchRule routesThrowExceptionsOfOurs = noClasses()
            .that()
            .resideInAnyPackage("org.idallocator.dropwizard..", "org.idallocator.service..")
            .and()
            .resideOutsideOfPackage("org.idallocator.dropwizard.problems")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(WebApplicationException.class);

    /** A record shows all that it has, and is equal to others that have the same: so what does something is a class. */
    @ArchTest
    static final ArchRule recordsAreValues = noClasses()
            .that()
            .resideInAnyPackage("org.idallocator.dropwizard..", "org.idallocator.service..")
            .and()
            .areRecords()
            .should()
            .beAssignableTo(AutoCloseable.class)
            .orShould()
            .beAnnotatedWith(jakarta.ws.rs.Path.class);

    @ArchTest
    static final ArchRule recordsHaveNothingToWaitForOrToRun = noFields()
            .that()
            .areNotStatic()
            .and()
            .areDeclaredInClassesThat()
            .resideInAnyPackage("org.idallocator.dropwizard..", "org.idallocator.service..")
            .and()
            .areDeclaredInClassesThat()
            .areRecords()
            .should()
            .haveRawType(assignableTo(Semaphore.class)
                    .or(assignableTo(Lock.class))
                    .or(assignableTo(Future.class))
                    .or(assignableTo(Supplier.class))
                    .or(assignableTo(Runnable.class))
                    .or(assignableTo(Consumer.class)));

    /** By this name FailuresTest finds them. */
    @ArchTest
    static final ArchRule exceptionsAreNamedSo =
            classes().that().areAssignableTo(Throwable.class).should().haveSimpleNameEndingWith("Exception");

    /** Commands of the service end with exceptions of the modules below, each of which FailuresTest knows. */
    @ArchTest
    static final ArchRule theServiceHasNoExceptionsButOfHttp = noClasses()
            .that()
            .resideInAPackage("org.idallocator.service")
            .should()
            .beAssignableTo(Throwable.class);

    @ArchTest
    static final ArchRule handlersKnowNothingOfTheApplication = noClasses()
            .that()
            .resideInAPackage("org.idallocator.service.server..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.service");

    @ArchTest
    static final ArchRule commandsDependOneWay = noClasses()
            .that()
            .resideInAPackage("org.idallocator.dropwizard.cli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.dropwizard.cli.leases");

    @ArchTest
    static final ArchRule zooKeeperStaysInItsModule = noClasses()
            .that()
            .resideInAnyPackage("org.idallocator.core..", "org.idallocator.dropwizard..", "org.idallocator.service..")
            .and()
            .resideOutsideOfPackage("org.idallocator.dropwizard.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..");

    /** It says once what the rooms above it have in common. */
    @ArchTest
    static final ArchRule httpKnowsNoOtherRoom = noClasses()
            .that()
            .resideInAPackage("org.idallocator.dropwizard.http..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.idallocator..")
                    .and(not(resideInAPackage("org.idallocator.dropwizard.http.."))));

    @ArchTest
    static final ArchRule drawingKnowsNoHttp = noClasses()
            .that()
            .resideInAPackage("org.idallocator.dropwizard.ids..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "io.dropwizard..", "org.eclipse.jetty..");

    @ArchTest
    static final ArchRule onlyClockReadsAClock = noClasses()
            .that()
            .resideOutsideOfPackage(CLOCK)
            .should()
            .accessTargetWhere(target(nameMatching("currentTimeMillis|nanoTime|now"))
                    .and(target(owner(resideInAnyPackage("java.lang", "java.time..")))))
            .orShould()
            .callConstructor(Date.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    /** Whoever sees some IDs shall not be able to tell the random bits of the next. */
    @ArchTest
    static final ArchRule randomBitsCannotBeForetold = noClasses()
            .that()
            .resideInAPackage("org.idallocator.core..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(ThreadLocalRandom.class, SplittableRandom.class)
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .callConstructor(Random.class, long.class)
            .orShould()
            .callMethod(Math.class, "random");
}
