package org.idallocator.spring;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool of connections that has none, and does as it is told when it is closed. */
final class Pool implements DataSource, AutoCloseable {
    private final Runnable whenClosed;

    Pool(Runnable whenClosed) {
        this.whenClosed = whenClosed;
    }

    @Override
    public void close() {
        whenClosed.run();
    }

    @Override
    public Connection getConnection() {
        throw new UnsupportedOperationException("no database");
    }

    @Override
    public Connection getConnection(String username, String password) {
        throw new UnsupportedOperationException("no database");
    }

    @Override
    public PrintWriter getLogWriter() {
        throw new UnsupportedOperationException("no log");
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException(type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
