import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.MutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Value;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Drives the OpenFeature SDK with its OFREP provider: reads commands as lines of JSON, and answers each with a line. */
public class Driver {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();
    private static final Map<String, Client> CLIENTS = new HashMap<>();
    /** Way to read each flag, by its type. */
    private static final Map<String, Integer> WAYS = new HashMap<>();

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
            case "stop" -> {
                CLIENTS.remove(client);
                yield new JsonObject();
            }
            default -> throw new IllegalArgumentException(command.toString());
        };
    }

    private static JsonObject start(String client, JsonObject command) throws Exception {
        var token = "Bearer " + command.get("token").getAsString();
        var options = OfrepProviderOptions.builder()
                .baseUrl(command.get("url").getAsString())
                .headers(ImmutableMap.of("Authorization", ImmutableList.of(token)))
                .build();
        var api = OpenFeatureAPI.getInstance();
        api.setProviderAndWait(client, OfrepProvider.constructProvider(options));
        CLIENTS.put(client, api.getClient(client));
        return new JsonObject();
    }

    /** Returns a line per context, with on or off and variant per flag. */
    private static JsonObject decide(Client client, JsonObject command) {
        var lines = new JsonArray();
        for (var context : command.getAsJsonArray("contexts")) {
            var line = new JsonArray();
            var own = toContext(context.getAsJsonObject());
            for (var flag : command.getAsJsonArray("flags")) {
                var details = evaluate(client, flag.getAsString(), own);
                var isEnabled = details.getFlagMetadata().getBoolean("enabled");
                var decision = new JsonArray();
                decision.add(isEnabled != null && isEnabled);
                decision.add(details.getVariant() == null ? "" : details.getVariant());
                line.add(decision);
            }
            lines.add(line);
        }
        var answer = new JsonObject();
        answer.add("decisions", lines);
        return answer;
    }

    /** Evaluates a flag as the type that it has. The type of a flag never depends on the context. */
    private static FlagEvaluationDetails<?> evaluate(Client client, String flag, EvaluationContext context) {
        List<Supplier<FlagEvaluationDetails<?>>> ways = List.of(
                () -> client.getBooleanDetails(flag, false, context),
                () -> client.getStringDetails(flag, "", context),
                () -> client.getDoubleDetails(flag, 0.0, context),
                () -> client.getObjectDetails(flag, new Value(), context));
        var details = ways.get(WAYS.getOrDefault(flag, 0)).get();
        for (var number = 0; details.getErrorCode() == ErrorCode.TYPE_MISMATCH && number < ways.size(); number++) {
            WAYS.put(flag, number);
            details = ways.get(number).get();
        }
        return details;
    }

    /** Asks for one flag a number of times. Returns the last answer. */
    private static JsonObject ask(Client client, JsonObject command) {
        var context = toContext(command.getAsJsonObject("context"));
        var isEnabled = false;
        for (var round = 0; round < command.get("times").getAsInt(); round++)
            isEnabled = client.getBooleanValue(command.get("flag").getAsString(), false, context);
        var answer = new JsonObject();
        answer.addProperty("isEnabled", isEnabled);
        return answer;
    }

    private static EvaluationContext toContext(JsonObject given) {
        var context = new MutableContext();
        for (var field : given.entrySet()) {
            if (!field.getValue().isJsonPrimitive()) continue;
            if (field.getKey().equals("userId")) context.setTargetingKey(field.getValue().getAsString());
            else context.add(field.getKey(), field.getValue().getAsString());
        }
        if (given.has("properties"))
            for (var property : given.getAsJsonObject("properties").entrySet())
                if (property.getValue().isJsonPrimitive())
                    context.add(property.getKey(), property.getValue().getAsString());
        return context;
    }
}
