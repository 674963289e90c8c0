package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CheckoutTest {
  @RegisterExtension final TestFlags flags = new TestFlags(Map.of("new-checkout", true));

  @Test
  void changesFlags() throws Exception {
    assertEquals(Map.of("new-checkout", "disabled"), readVariants());
    Map<String, Object> changes = new HashMap<>();
    changes.put("new-checkout", null);
    changes.put("button-color", TestFlags.variant("red"));
    flags.set(changes);
    assertEquals(Map.of("button-color", "red"), readVariants());
  }

  @Test
  void hasItsOwnFlags() throws Exception {
    assertEquals(Map.of("new-checkout", "disabled"), readVariants());
  }

  /** Returns the variants of all flags that are on, by name. */
  private Map<String, String> readVariants() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(TestFlags.URL + "/api/frontend"))
            .header("Authorization", flags.frontendToken())
            .build();
    String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    Map<String, String> variants = new HashMap<>();
    for (JsonElement element : JsonParser.parseString(body).getAsJsonObject().getAsJsonArray("toggles")) {
      JsonObject toggle = element.getAsJsonObject();
      variants.put(toggle.get("name").getAsString(), toggle.getAsJsonObject("variant").get("name").getAsString());
    }
    return variants;
  }
}
