import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.UnleashContext;
import io.getunleash.util.UnleashConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints the decisions of the official Java SDK for the flags and contexts of a file. */
public class Program {
    public static void main(String[] arguments) throws Exception {
        var task = new Gson().fromJson(Files.readString(Path.of(arguments[0])), JsonObject.class);
        var answers = new ArrayList<List<List<List<Object>>>>();
        for (var url : task.getAsJsonArray("urls")) answers.add(decideAll(task, url.getAsString()));
        System.out.println(new Gson().toJson(answers));
        System.exit(0);
    }

    /** Returns the decisions at one address: a line per context, with an entry per flag. */
    private static List<List<List<Object>>> decideAll(JsonObject task, String url) {
        Unleash client = new DefaultUnleash(UnleashConfig.builder()
                .appName("java-service")
                .instanceId(url)
                .unleashAPI(url)
                .apiKey(task.get("token").getAsString())
                .backupFile(task.get("folder").getAsString() + "/java-backup.json")
                .synchronousFetchOnInitialisation(true)
                .disableMetrics()
                .build());
        var decisions = new ArrayList<List<List<Object>>>();
        for (var element : task.getAsJsonArray("contexts")) {
            var context = toContext(element.getAsJsonObject());
            var line = new ArrayList<List<Object>>();
            for (var name : task.getAsJsonArray("flags")) line.add(decide(client, name.getAsString(), context));
            decisions.add(line);
        }
        client.shutdown();
        return decisions;
    }

    private static List<Object> decide(Unleash client, String name, UnleashContext context) {
        var variant = client.getVariant(name, context);
        var decision = new ArrayList<Object>();
        decision.add(client.isEnabled(name, context));
        decision.add(variant.getName());
        variant.getPayload().ifPresent(payload -> decision.add(payload.getValue()));
        return decision;
    }

    private static UnleashContext toContext(JsonObject context) {
        var builder = UnleashContext.builder()
                .sessionId(context.get("sessionId").getAsString())
                .remoteAddress(context.get("remoteAddress").getAsString());
        if (context.has("userId")) builder.userId(context.get("userId").getAsString());
        for (var property : context.getAsJsonObject("properties").entrySet())
            builder.addProperty(property.getKey(), property.getValue().getAsString());
        return builder.build();
    }
}
