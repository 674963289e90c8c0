package example;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Test run of Burgee for each test. States of flags are true, false, {@link #variant}, or null to remove an override.
 */
public final class TestFlags implements BeforeEachCallback, AfterEachCallback {
  public static final String URL = System.getenv("BURGEE_URL").replaceAll("/+$", "");
  private static final String RUNS = URL + "/api/admin/projects/default/test-runs";
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Map<String, ?> overrides;
  private JsonObject run;

  public TestFlags(Map<String, ?> overrides) {
    this.overrides = overrides;
  }

  /** Returns the state of a flag that is on with a variant. */
  public static Map<String, String> variant(String name) {
    return Map.of("variant", name);
  }

  /** Token for server-side SDKs. */
  public String clientToken() {
    return run.get("clientToken").getAsString();
  }

  /** Token for pages and OpenFeature. */
  public String frontendToken() {
    return run.get("frontendToken").getAsString();
  }

  /** Changes overrides. */
  public void set(Map<String, ?> changes) throws IOException, InterruptedException {
    send("PATCH", RUNS + "/" + run.get("id").getAsString(), Map.of("overrides", changes));
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    Map<String, ?> body =
        Map.of("environment", "development", "overrides", overrides, "name", context.getDisplayName(), "minutes", 10);
    run = GSON.fromJson(send("POST", RUNS, body), JsonObject.class);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    send("DELETE", RUNS + "/" + run.get("id").getAsString(), null);
  }

  private static String send(String method, String url, Map<String, ?> body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(GSON.toJson(body)))
            .header("Authorization", System.getenv("BURGEE_ADMIN_TOKEN"))
            .header("Content-Type", "application/json")
            .build();
    HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(method + " " + url + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }
}
