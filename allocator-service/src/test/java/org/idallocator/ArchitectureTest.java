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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture.LayerDependencySpecification;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Date;
import java.util.List;
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
import org.idallocator.core.testing.Signatures;

/** Imports go one way, over all modules, and one package alone reads a clock. */
@AnalyzeClasses(packages = "org.idallocator", importOptions = OwnClasses.class)
class ArchitectureTest {
    private static final Path ARTIFACTS = Path.of("..");
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
            core..       | hibernate.. zk.. dropwizard.. spring.. service..
            hibernate..  | spring..
            zk..         | dropwizard.. spring.. service..
            dropwizard.. | service..
            spring..     |
            service..    |
            """);

    @ArchTest
    static final ArchRule coreDependsOneWay = layers("org.idallocator.core", """
            id..        | testing.. scheme.. generator.. fence.. clock..
            checkpoint..| testing.. scheme.. generator.. fence.. clock..
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
    static final ArchRule zkHasNoOtherPackages = classes()
            .that()
            .resideInAPackage("org.idallocator.zk..")
            .should()
            .resideInAPackage("org.idallocator.zk.[operator|lease|era|znode|store|settings]")
            .orShould()
            .resideInAPackage("org.idallocator.zk");

    @ArchTest
    static final ArchRule packagesOfDropwizardHaveNoCycles =
            slices().matching("org.idallocator.dropwizard.(*)..").should().beFreeOfCycles();

    /** Bundle and setup put the packages together, so that none of these knows them. */
    @ArchTest
    static final ArchRule packagesOfDropwizardKnowNothingAbove = noClasses()
            .that()
            .resideInAPackage("org.idallocator.dropwizard.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.dropwizard");

    /** What programs use of an artifact: each type is a promise, and its page says what it is. */
    private static Set<String> listed(String artifact) {
        return Signatures.types(ARTIFACTS.resolve(artifact));
    }

    /** Other types of zk are public for the packages of that module only. */
    @ArchTest
    static void programsUseWhatIsMeantForThem(JavaClasses all) {
        Set<String> listed = listed("allocator-zk");
        noClasses()
                .that()
                .resideOutsideOfPackage("org.idallocator.zk..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.idallocator.zk..")
                        .and(describe(
                                "are not for programs",
                                type -> !listed.contains(type.getName().replaceAll("\\$.*", "")))))
                .check(all);
    }

    /** What is public in core for its own packages and for the other modules only. */
    private static final Set<String> FOR_MODULES = words("""
            checkpoint.Checkpoints clock.TickUnit fence.Fence fence.TenureSource generator.EightByteGenerator generator.Generator
            generator.GeneratorsByType generator.LoadBalancer generator.RandomBits generator.Taken
            generator.Uid60Generator id.Bounds id.IdTextWriter id.IdType scheme.Allowed scheme.Handover
            scheme.Parameter scheme.SchemeOptions scheme.SlotNames scheme.SlotPool scheme.UnknownSchemeException
            """);

    /**
     * What is public in dropwizard for the service; other types are public for the packages of that module only. Of a
     * type with nothing but constants the service's classes keep no trace.
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
        Set<String> listed = new TreeSet<>(listed("allocator-core"));
        FOR_MODULES.forEach(name -> listed.add(core + name));

        Set<String> found = all.stream()
                .filter(type -> type.getName().startsWith(core)
                        && type.isTopLevelClass()
                        && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(Set.of(), without(found, listed), "public, but neither in signatures.txt nor in FOR_MODULES");
        assertEquals(Set.of(), without(listed, found), "listed, but not public");
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** The service is a program of its own: nobody depends on it. */
    @ArchTest
    static void eachArtifactKeepsWhatProgramsUse(JavaClasses all) throws IOException {
        for (Path artifact : artifacts()) {
            assertTrue(Files.exists(artifact.resolve("signatures.txt")), artifact + " lists what programs use");
            try (Stream<Path> tests = Files.walk(artifact.resolve("src/test/java"))) {
                assertTrue(tests.anyMatch(test -> test.endsWith("SignaturesTest.java")), artifact + " keeps its list");
            }
        }
    }

    private static List<Path> artifacts() throws IOException {
        try (Stream<Path> modules = Files.list(ARTIFACTS)) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .filter(module -> module.getFileName().toString().startsWith("allocator-"))
                    .filter(module -> !module.endsWith("allocator-service"))
                    .toList();
        }
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
            .resideOutsideOfPackages("org.idallocator.zk..", "org.idallocator.dropwizard.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..");

    /** It says once what the packages above it have in common. */
    @ArchTest
    static final ArchRule httpKnowsNoOtherPackage = noClasses()
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
