import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.UnleashContext;
import io.getunleash.util.UnleashConfig;
import io.getunleash.util.UnleashScheduledExecutorImpl;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;

/** Drives the official Java SDK: reads commands as lines of JSON, and answers each with a line. */
public class Driver {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();
    private static final Map<String, Unleash> CLIENTS = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            JsonObject answer;
            try {
                answer = carryOut(GSON.fromJson(line, JsonObject.class));
            } catch (Throwable error) { // the test decides what an error means
                answer = new JsonObject();
                answer.addProperty("error", String.valueOf(error));
            }
            var bytes = (GSON.toJson(answer) + "\n").getBytes(StandardCharsets.UTF_8);
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
        }
        System.exit(0);
    }

    private static JsonObject carryOut(JsonObject command) throws Exception {
        var client = command.get("client").getAsString();
        return switch (command.get("do").getAsString()) {
            case "start" -> start(client, command);
            case "decide" -> decide(CLIENTS.get(client), command);
            case "ask" -> ask(CLIENTS.get(client), command);
            case "measure" -> measure(CLIENTS.get(client), command.get("name").getAsString());
            case "stop" -> {
                CLIENTS.remove(client).shutdown();
                yield new JsonObject();
            }
            default -> throw new IllegalArgumentException(command.toString());
        };
    }

    private static JsonObject start(String client, JsonObject command) throws Exception {
        var folder = Files.createDirectories(Path.of(command.get("folder").getAsString()));
        var appName = command.get("appName").getAsString();
        var seconds = command.get("intervalSeconds").getAsLong();
        var config = UnleashConfig.builder()
                .appName(appName)
                .instanceId(command.get("instanceId").getAsString())
                .environment("development")
                .unleashAPI(command.get("url").getAsString())
                .apiKey(command.get("token").getAsString())
                .backupFile(folder.resolve(appName + ".json").toString())
                .fetchTogglesInterval(seconds)
                .sendMetricsInterval(seconds)
                // old versions share one, which ends with the first client
                .scheduledExecutor(new UnleashScheduledExecutorImpl());
        if (command.has("project")) config.projectName(command.get("project").getAsString());
        if (command.has("prefix")) config.namePrefix(command.get("prefix").getAsString());
        // later versions only
        if (command.has("streaming")) config.getClass().getMethod("experimentalStreamingMode").invoke(config);
        CLIENTS.put(client, new DefaultUnleash(config.build()));
        return new JsonObject();
    }

    /** Returns a line per context, with on or off, variant and payload per flag. */
    private static JsonObject decide(Unleash client, JsonObject command) {
        var lines = new JsonArray();
        for (var context : command.getAsJsonArray("contexts")) {
            var line = new JsonArray();
            var own = toContext(context.getAsJsonObject());
            for (var flag : command.getAsJsonArray("flags")) {
                var variant = client.getVariant(flag.getAsString(), own);
                var decision = new JsonArray();
                decision.add(client.isEnabled(flag.getAsString(), own));
                decision.add(variant.getName());
                variant.getPayload().ifPresent(payload -> decision.add(payload.getValue()));
                line.add(decision);
            }
            lines.add(line);
        }
        var answer = new JsonObject();
        answer.add("decisions", lines);
        return answer;
    }

    /** Asks for one flag a number of times. Returns the last answer. */
    private static JsonObject ask(Unleash client, JsonObject command) {
        var context = toContext(command.getAsJsonObject("context"));
        var isEnabled = false;
        for (var round = 0; round < command.get("times").getAsInt(); round++)
            isEnabled = client.isEnabled(command.get("flag").getAsString(), context);
        var answer = new JsonObject();
        answer.addProperty("isEnabled", isEnabled);
        return answer;
    }

    /** Counts an impact metric, which only later versions have. */
    private static JsonObject measure(Unleash client, String name) throws Exception {
        var metrics = Unleash.class.getMethod("getImpactMetrics").invoke(client);
        var api = Class.forName("io.getunleash.impactmetrics.MetricsAPI");
        api.getMethod("defineCounter", String.class, String.class).invoke(metrics, name, "A counter of a test");
        api.getMethod("incrementCounter", String.class).invoke(metrics, name);
        return new JsonObject();
    }

    private static UnleashContext toContext(JsonObject given) {
        var builder = UnleashContext.builder();
        for (var field : given.entrySet()) {
            if (!field.getValue().isJsonPrimitive()) continue;
            var value = field.getValue().getAsString();
            switch (field.getKey()) {
                case "userId" -> builder.userId(value);
                case "sessionId" -> builder.sessionId(value);
                case "remoteAddress" -> builder.remoteAddress(value);
                case "appName" -> builder.appName(value);
                case "environment" -> builder.environment(value);
                case "currentTime" -> builder.currentTime(ZonedDateTime.parse(value));
                default -> builder.addProperty(field.getKey(), value);
            }
        }
        if (given.has("properties"))
            for (var property : given.getAsJsonObject("properties").entrySet())
                if (property.getValue().isJsonPrimitive())
                    builder.addProperty(property.getKey(), property.getValue().getAsString());
        return builder.build();
    }
}
