# The service; `mvn -B verify -DskipITs` (or the whole of `mvn -B verify`) builds the jar that this copies.
FROM eclipse-temurin:17-jre

RUN groupadd --system allocator && useradd --system --gid allocator --home-dir /allocator --create-home allocator
COPY config/*.yml /config/
COPY allocator-service/target/allocator-service.jar /allocator/allocator-service.jar

USER allocator
WORKDIR /allocator
EXPOSE 8080 8081

# Exec form: Java is process 1 and gets the SIGTERM on which it gives its slots back. Out of memory it ends, to be started again.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "/allocator/allocator-service.jar"]
CMD ["server", "/config/cluster.yml"]
