package org.idallocator.service.cli.terminal;

/** A process that prints what it knows of the terminal that its standard output is. */
final class ShowSize {
    private ShowSize() {}

    public static void main(String[] arguments) {
        System.out.println(Terminal.STANDARD_OUTPUT.size());
    }
}
