package org.idallocator.service.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What services log of changes that are asked for on their admin ports, until closed. Thread-safe. */
public final class ActLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("org.idallocator.dropwizard.admin.ActLog");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public ActLines() {
        setContext(logger.getLoggerContext());
        start();
        logger.setLevel(Level.INFO);
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** Those so far. The line of a change that passes may come a little later than its answer. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
