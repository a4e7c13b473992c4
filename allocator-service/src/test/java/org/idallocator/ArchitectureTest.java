package org.idallocator;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.ArchitectureTest.OwnClasses;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.Rotated;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterState;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Retired;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.Software;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.znode.LeaseNode;

/** Imports go one way, over all modules, and one package alone reads a clock. */
@AnalyzeClasses(packages = "org.idallocator", importOptions = OwnClasses.class)
@ArchTag(ProofOnly.TAG) // as it reads every class
class ArchitectureTest {
    private static final int LONGEST_CALL = 5;
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
    static final ArchRule modulesDependOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("core")
            .definedBy("org.idallocator.core..")
            .layer("zk")
            .definedBy("org.idallocator.zk..")
            .layer("service")
            .definedBy("org.idallocator.service..")
            .whereLayer("service")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("zk")
            .mayOnlyBeAccessedByLayers("service");

    @ArchTest
    static final ArchRule coreDependsOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("scheme")
            .definedBy("org.idallocator.core.scheme..")
            .layer("generator")
            .definedBy("org.idallocator.core.generator..")
            .layer("fence")
            .definedBy("org.idallocator.core.fence..")
            .layer("clock")
            .definedBy(CLOCK)
            .layer("id")
            .definedBy("org.idallocator.core.id..")
            .whereLayer("scheme")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("generator")
            .mayOnlyBeAccessedByLayers("scheme")
            .whereLayer("fence")
            .mayOnlyBeAccessedByLayers("scheme", "generator")
            .whereLayer("clock")
            .mayOnlyBeAccessedByLayers("scheme", "generator", "fence")
            .whereLayer("id")
            .mayOnlyBeAccessedByLayers("scheme", "generator", "fence", "clock");

    @ArchTest
    static final ArchRule zkDependsOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("way in")
            .definedBy("org.idallocator.zk")
            .layer("operator")
            .definedBy("org.idallocator.zk.operator")
            .layer("lease")
            .definedBy("org.idallocator.zk.lease")
            .layer("epoch")
            .definedBy("org.idallocator.zk.epoch")
            .layer("znode")
            .definedBy("org.idallocator.zk.znode")
            .layer("store")
            .definedBy("org.idallocator.zk.store")
            .layer("settings")
            .definedBy("org.idallocator.zk.settings")
            .whereLayer("way in")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("operator")
            .mayOnlyBeAccessedByLayers("way in")
            .whereLayer("lease")
            .mayOnlyBeAccessedByLayers("way in")
            .whereLayer("epoch")
            .mayOnlyBeAccessedByLayers("operator", "lease")
            .whereLayer("znode")
            .mayOnlyBeAccessedByLayers("operator", "lease", "epoch")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("way in", "operator", "lease", "epoch", "znode");

    /** A package that is in none of the layers above would be bound by no rule. */
    @ArchTest
    static final ArchRule zkHasNoOtherRooms = classes()
            .that()
            .resideInAPackage("org.idallocator.zk..")
            .should()
            .resideInAnyPackage(
                    "org.idallocator.zk",
                    "org.idallocator.zk.operator",
                    "org.idallocator.zk.lease",
                    "org.idallocator.zk.epoch",
                    "org.idallocator.zk.znode",
                    "org.idallocator.zk.store",
                    "org.idallocator.zk.settings");

    @ArchTest
    static final ArchRule roomsOfTheServiceHaveNoCycles =
            slices().matching("org.idallocator.service.(*)..").should().beFreeOfCycles();

    /** Only the service itself knows the bundle, and no room knows the service. */
    @ArchTest
    static final ArchRule roomsKnowNothingAbove = noClasses()
            .that()
            .resideInAPackage("org.idallocator.service.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.service");

    /** Other types are public for the rooms of this module only. */
    @ArchTest
    static final ArchRule programsUseWhatIsMeantForThem = noClasses()
            .that()
            .resideOutsideOfPackage("org.idallocator.zk..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.idallocator.zk..")
                    .and(not(belongToAnyOf(
                            IdAllocator.class,
                            IdSource.class,
                            AllocatorSettings.class,
                            ZooKeeperSettings.class,
                            Replica.class,
                            Shown.class,
                            Software.class,
                            HeldSlot.class,
                            Drained.class,
                            Rotated.class,
                            SchemeStatus.class,
                            SchemeStatus.Slots.class,
                            LeaseCounts.class,
                            LeaseCounts.Renewals.class,
                            LeaseNode.class,
                            ClusterView.class,
                            ClusterState.class,
                            MemberView.class,
                            PoolView.class,
                            PoolView.Counts.class,
                            Holder.class,
                            LeaseView.class,
                            Revocation.class,
                            Retired.class,
                            Doctor.class,
                            Check.class,
                            Check.Result.class,
                            FenceRestore.class,
                            Relayout.class,
                            FirstStart.class,
                            RefusedException.class,
                            UnreachableException.class))));

    /** What programs use of core. Each of these is a promise; README and the pages of these types say what it is. */
    private static final Set<String> FOR_PROGRAMS = Set.of(
            "clock.Clock",
            "clock.ScriptedClock",
            "fence.FenceReason",
            "fence.FencedException",
            "generator.GidGenerator",
            "generator.IdGenerator",
            "generator.MuidGenerator",
            "generator.MuidTransaction",
            "generator.OverCapacityException",
            "generator.Overflow",
            "generator.OverflowListener",
            "generator.SnoGenerator",
            "generator.SnoPorter",
            "generator.SnoRange",
            "generator.SnoSnapshot",
            "generator.Variant",
            "generator.WaitListener",
            "id.EightByteId",
            "id.Gid",
            "id.GidType",
            "id.Id",
            "id.IdFormatException",
            "id.IdReader",
            "id.IdSink",
            "id.LogId",
            "id.Muid",
            "id.SegmentId",
            "id.Sno",
            "id.SnoPartition",
            "id.Uid60",
            "id.VolumeId",
            "scheme.EightByteScheme",
            "scheme.GidScheme",
            "scheme.LocalIds",
            "scheme.MuidScheme",
            "scheme.Scheme",
            "scheme.Schemes",
            "scheme.SnoScheme",
            "scheme.Uid60Scheme");

    /** What is public in core for its own packages and for the other modules only. */
    private static final Set<String> FOR_MODULES = Set.of(
            "clock.TickUnit",
            "fence.Fence",
            "fence.TenureSource",
            "generator.EightByteGenerator",
            "generator.Generator",
            "generator.LoadBalancer",
            "generator.RandomBits",
            "generator.Taken",
            "generator.Uid60Generator",
            "id.Bounds",
            "id.IdTextWriter",
            "id.IdType",
            "scheme.Allowed",
            "scheme.Handover",
            "scheme.Parameter",
            "scheme.SchemeOptions",
            "scheme.SlotNames",
            "scheme.SlotPool",
            "scheme.UnknownSchemeException");

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

    /** Whoever takes past the queue enters a tick before those who wait are served. */
    @ArchTest
    static final ArchRule onlyTheQueueTakes = noClasses()
            .that(not(assignableTo(Generator.class)))
            .and()
            .doNotHaveSimpleName("FairQueue")
            .should()
            .callMethodWhere(target(name("take")).and(target(owner(assignableTo(Generator.class)))));

    /** The service's own manners stand in front of the bundle, so that no other program gets them. */
    @ArchTest
    static final ArchRule bundleKnowsNothingOfTheService = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("service")
            .definedBy("org.idallocator.service")
            .layer("bundle")
            .definedBy("org.idallocator.service.bundle")
            .layer("rooms")
            .definedBy(
                    "org.idallocator.service.admin..",
                    "org.idallocator.service.api..",
                    "org.idallocator.service.cli..",
                    "org.idallocator.service.config..",
                    "org.idallocator.service.console..",
                    "org.idallocator.service.ids..",
                    "org.idallocator.service.embedded..",
                    "org.idallocator.service.problems..",
                    "org.idallocator.service.health..",
                    "org.idallocator.service.metrics..",
                    "org.idallocator.service.logging..",
                    "org.idallocator.service.decode..",
                    "org.idallocator.service.resources..")
            .whereLayer("service")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("bundle")
            .mayOnlyBeAccessedByLayers("service");

    @ArchTest
    static final ArchRule commandsDependOneWay = noClasses()
            .that()
            .resideInAPackage("org.idallocator.service.cli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.idallocator.service.cli.leases");

    /** A record states its shape once, where it is declared, and Jackson's creators follow the JSON; all other calls take values. */
    @ArchTest
    static final ArchRule callsAreShort = codeUnits()
            .that(describe(
                    "people call",
                    unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                            && !(unit.isConstructor() && unit.getOwner().isRecord())
                            && !unit.isAnnotatedWith(JsonCreator.class)
                            && !isOfALibrary(unit)))
            .should(new ArchCondition<>("take at most five parameters") {
                @Override
                public void check(JavaCodeUnit unit, ConditionEvents events) {
                    events.add(new SimpleConditionEvent(
                            unit,
                            unit.getParameters().size() <= LONGEST_CALL,
                            unit.getFullName() + " takes "
                                    + unit.getParameters().size()));
                }
            });

    /** Whether a library decides what the method takes. */
    private static boolean isOfALibrary(JavaCodeUnit unit) {
        return Stream.concat(
                        unit.getOwner().getAllRawSuperclasses().stream(),
                        unit.getOwner().getAllRawInterfaces().stream())
                .filter(type -> !type.getPackageName().startsWith("org.idallocator"))
                .flatMap(type -> type.getMethods().stream())
                .anyMatch(method -> method.getName().equals(unit.getName())
                        && method.getParameters().size() == unit.getParameters().size());
    }

    @ArchTest
    static final ArchRule zooKeeperStaysInItsModule = noClasses()
            .that()
            .resideInAnyPackage("org.idallocator.core..", "org.idallocator.service..")
            .and()
            .resideOutsideOfPackage("org.idallocator.service.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..");

    @ArchTest
    static final ArchRule drawingKnowsNoHttp = noClasses()
            .that()
            .resideInAPackage("org.idallocator.service.ids..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "io.dropwizard..", "org.eclipse.jetty..");

    @ArchTest
    static final ArchRule onlyClockReadsAClock = noClasses()
            .that()
            .resideOutsideOfPackage(CLOCK)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(OffsetDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
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
