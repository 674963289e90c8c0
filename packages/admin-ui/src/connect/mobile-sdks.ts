import type { Sdk } from './sdk.ts'

/** Mobile SDKs, with the same code as docs/sdks/mobile.md. A test ensures that both are the same. */
export const PHONE_SDKS: readonly Sdk[] = [
  {
    id: 'android',
    name: 'Android',
    group: 'phones',
    kind: 'frontend',
    install: 'implementation("io.getunleash:unleash-android:<version>")',
    files: [
      {
        code: `import io.getunleash.android.DefaultUnleash
import io.getunleash.android.UnleashConfig
import io.getunleash.android.data.UnleashContext

val flags = DefaultUnleash(
    androidContext = applicationContext,
    unleashConfig = UnleashConfig.newBuilder(appName = "my-app")
        .proxyUrl("http://localhost:4242/api/frontend")
        .clientKey("<frontend token>")
        .build()
)
flags.setContext(UnleashContext(userId = "42"))
flags.start()
// false until flags.isReady(), which a listener of start() is notified of
val on = flags.isEnabled("new-checkout")`,
      },
    ],
  },
  {
    id: 'ios',
    name: 'iOS',
    group: 'phones',
    kind: 'frontend',
    install: 'https://github.com/Unleash/unleash-proxy-client-swift.git',
    files: [
      {
        code: `import UnleashProxyClientSwift

let flags = UnleashClient(
    unleashUrl: "http://localhost:4242/api/frontend",
    clientKey: "<frontend token>",
    refreshInterval: 15,
    appName: "my-app",
    context: ["userId": "42"]
)
flags.start()
// false until the first answer
let on = flags.isEnabled(name: "new-checkout")`,
      },
    ],
  },
  {
    id: 'flutter',
    name: 'Flutter',
    group: 'phones',
    kind: 'frontend',
    install: 'flutter pub add unleash_proxy_client_flutter',
    files: [
      {
        code: `import 'package:unleash_proxy_client_flutter/unleash_context.dart';
import 'package:unleash_proxy_client_flutter/unleash_proxy_client_flutter.dart';

final flags = UnleashClient(
  url: Uri.parse('http://localhost:4242/api/frontend'),
  clientKey: '<frontend token>',
  appName: 'my-app',
);
await flags.updateContext(UnleashContext(userId: '42'));
await flags.start();
final on = flags.isEnabled('new-checkout');`,
      },
    ],
  },
]
