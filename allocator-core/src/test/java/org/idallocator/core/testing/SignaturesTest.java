package org.idallocator.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SignaturesTest {
    private static final String HERE = "org.idallocator.core.testing.SignaturesTest";

    @Test
    void shouldKeepWhatProgramsUse() throws IOException {
        Signatures.assertKept();
    }

    @Test
    void shouldSayWhatATypeIsAndHasWithoutWhatIsOfTheJdk() {
        assertEquals("""
                public abstract static class HERE$Shown<T extends java.lang.Number>
                    is java.util.concurrent.Callable<T>
                    is HERE$Hidden
                    protected abstract void HERE$Shown.overridden()
                    protected HERE$Shown(T) throws java.io.IOException
                    public java.util.List HERE$Shown.inherited()
                    public static final int HERE$Shown.CONSTANT
                public static final enum HERE$Shown$Inner
                    is java.lang.Enum<HERE$Shown$Inner>
                    is HERE$Shown$Sealed
                    public static final HERE$Shown$Inner HERE$Shown$Inner.ONE
                    public static HERE$Shown$Inner HERE$Shown$Inner.valueOf(java.lang.String)
                    public static HERE$Shown$Inner[] HERE$Shown$Inner.values()
                public abstract static interface HERE$Shown$Sealed
                    permits HERE$Shown$Inner
                """.replace("HERE", HERE), Signatures.found(List.of(HERE + "$Shown", HERE + "$NotThere")));
    }

    @Test
    void shouldSayInWordsWhatIsGoneAndWhatIsNew() {
        assertEquals("""
                What programs use is not as listed.
                Gone, which breaks programs. Bring it back, or say in the commit's first line what breaks:
                    org.idallocator.A: public void org.idallocator.Base.one()
                    org.idallocator.NotThere
                New, which is a promise from now on. A new abstract method breaks whoever implements it:
                    org.idallocator.B: public void org.idallocator.B.two(int)
                    public class org.idallocator.C
                """, Signatures.difference("""
                        public class org.idallocator.A
                            public void org.idallocator.Base.one()
                        public class org.idallocator.B
                            public void org.idallocator.Base.one()
                        org.idallocator.C
                        org.idallocator.NotThere
                        """, """
                        public class org.idallocator.A
                        public class org.idallocator.B
                            public void org.idallocator.B.two(int)
                            public void org.idallocator.Base.one()
                        public class org.idallocator.C
                        """));
    }

    @Test
    void shouldSayThatOnlyTheOrderDiffers() {
        String one = "class org.idallocator.A\n";
        String two = "class org.idallocator.B\n";

        assertEquals(
                "What programs use is not as listed.\nThe lines are in another order.\n",
                Signatures.difference(one + two, two + one));
    }

    abstract static class Hidden {
        public List<String> inherited() {
            return List.of();
        }
    }

    /** A type of each kind of line. */
    public abstract static class Shown<T extends Number> extends Hidden implements java.util.concurrent.Callable<T> {
        public static final int CONSTANT = 1;
        private final T hidden;

        protected Shown(T hidden) throws IOException {
            this.hidden = hidden;
        }

        protected abstract void overridden();

        T hidden() {
            return hidden;
        }

        /** A type within it, which others may not extend. */
        public sealed interface Sealed {}

        /** The one type that does. */
        public enum Inner implements Sealed {
            ONE
        }
    }
}
