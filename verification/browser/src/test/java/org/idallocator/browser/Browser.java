package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.idallocator.core.testing.HangGuard;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.io.FileHandler;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.http.ClientConfig;

/**
 * Chromium without a window, as the system has it: nothing is downloaded. One serves all tests of this JVM, and ends
 * with it, and has a home and a profile of its own, which go with it. What the browser complains about and whom it asks
 * is kept until a test looks.
 */
final class Browser {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AXE = assertDoesNotThrow(() -> new String(
            Objects.requireNonNull(Browser.class.getResourceAsStream("/axe.min.js"))
                    .readAllBytes(),
            StandardCharsets.UTF_8));
    private static final int TOP_PIXELS = 4000;

    /** It would warn that it does not know this Chromium's protocol, of which tests need only what the driver has. */
    private static final Logger VERSIONS = Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

    private final ChromeDriver driver;
    private final Set<String> asked = new TreeSet<>();

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    private static final class Holder {
        static final Browser BROWSER = start();
    }

    /** Why there is no browser; empty where there is one. */
    static Optional<String> whyNot() {
        return onPath("chromium").isEmpty()
                ? Optional.of("no chromium is on the path")
                : onPath("chromedriver").isEmpty() ? Optional.of("no chromedriver is on the path") : Optional.empty();
    }

    static Browser shared() {
        return Holder.BROWSER;
    }

    private static Optional<File> onPath(String name) {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .map(Path::toFile)
                .findFirst();
    }

    private static Browser start() {
        VERSIONS.setLevel(Level.SEVERE);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions()
                .setBinary(onPath("chromium").orElseThrow())
                .addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en");
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        Path home = assertDoesNotThrow(() ->
                Files.createTempDirectory("console")); // not in target: the path of a socket there may be too long
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(onPath("chromedriver").orElseThrow())
                .withEnvironment(environment(home))
                .withTimeout(HangGuard.TIME)
                .build();
        ClientConfig patient = ClientConfig.defaultConfig().readTimeout(HangGuard.TIME.multipliedBy(2));
        try {
            ChromeDriver driver = new ChromeDriver(service, options, patient);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                driver.quit();
                FileHandler.delete(home.toFile());
            }));
            driver.manage().timeouts().pageLoadTimeout(HangGuard.TIME).scriptTimeout(HangGuard.TIME);
            return new Browser(driver);
        } catch (WebDriverException e) {
            FileHandler.delete(home.toFile());
            throw e;
        }
    }

    /** So that it writes nowhere else. */
    private static Map<String, String> environment(Path home) {
        return Map.of(
                "HOME", home.toString(),
                "TMPDIR", home.toString(),
                "XDG_CONFIG_HOME", home.resolve(".config").toString(),
                "XDG_CACHE_HOME", home.resolve(".cache").toString());
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Looks at an address anew, in a way. */
    void open(URI address, Look look) {
        driver.get("about:blank");
        forget();
        use(look);
        driver.get(address.toString());
    }

    /** From now on looks in another way. */
    void use(Look look) {
        resize(look.width(), look.height(), look.phone());
        command("Emulation.setTouchEmulationEnabled", Map.of("enabled", look.phone()));
        command(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", look.dark() ? "dark" : "light"))));
    }

    /** From now on the window has another width. */
    void resize(int width) {
        resize(width, Look.WIDE_LIGHT.height(), false);
    }

    private void resize(int width, int height, boolean phone) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
    }

    /** A command of the Chrome DevTools protocol. */
    Map<String, Object> command(String name, Map<String, Object> parameters) {
        return driver.executeCdpCommand(name, parameters);
    }

    /** What a script answers; {@code type} is what WebDriver makes of that. */
    <T> T ask(Class<T> type, String script, Object... arguments) {
        return type.cast(Objects.requireNonNull(driver.executeScript(script, arguments), script));
    }

    /** The same of a script that answers a list of texts. */
    List<String> texts(String script, Object... arguments) {
        List<?> answers = ask(List.class, script, arguments);
        return answers.stream().map(String::valueOf).toList();
    }

    private void forget() {
        driver.manage().logs().get(LogType.BROWSER);
        driver.manage().logs().get(LogType.PERFORMANCE);
        asked.clear();
    }

    /**
     * What the browser has complained about since it opened the page.
     *
     * @param refusals whether the page was to be refused something, which the browser notes as an error of the network
     */
    List<String> complaints(boolean refusals) {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !(refusals && message.contains("Failed to load resource")))
                .toList();
    }

    /** All that the page has asked for since the browser opened it, without what the page's own text has. */
    Set<URI> asked() {
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = read(entry.getMessage()).path("message");
            if (message.path("method").asText().equals("Network.requestWillBeSent")) {
                asked.add(message.path("params").path("request").path("url").asText());
            }
        }
        Set<URI> addresses = new TreeSet<>();
        asked.stream().filter(url -> !url.startsWith("data:")).map(URI::create).forEach(addresses::add);
        return addresses;
    }

    private static JsonNode read(String json) {
        return assertDoesNotThrow(() -> JSON.readTree(json));
    }

    /** What axe finds wrong with the page as it is now: each rule with the elements that break it. */
    List<String> hindrances() {
        driver.executeScript(AXE);
        return texts(
                "return axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(rule =>"
                        + " `${rule.id}: ${rule.help}` + rule.nodes.map(node => `\\n  ${node.html} ${node.failureSummary}`).join('')))");
    }

    /** A picture of the whole page, as far as it is not longer than anybody looks at. */
    byte[] picture(Look look) {
        long height = ask(Long.class, "return Math.ceil(document.documentElement.getBoundingClientRect().height)");
        return picture(0, look.width(), (int) Math.max(look.height(), Math.min(TOP_PIXELS, height)));
    }

    /** A picture of the page from so many pixels below its top. */
    byte[] picture(int top, int width, int height) {
        Map<String, Object> shot = command(
                "Page.captureScreenshot",
                Map.of(
                        "format",
                        "png",
                        "captureBeyondViewport",
                        true,
                        "clip",
                        Map.of("x", 0, "y", top, "width", width, "height", height, "scale", 1)));
        return Base64.getDecoder().decode(String.valueOf(shot.get("data")));
    }
}
