import type { Sdk } from './sdk.ts'

/** Server SDKs, with the same code as docs/sdks/servers.md. A test keeps both in sync. */
export const SERVER_SDKS: readonly Sdk[] = [
  {
    id: 'node',
    name: 'Node',
    group: 'servers',
    kind: 'client',
    install: 'npm install unleash-client',
    files: [
      {
        code: `import { startUnleash } from 'unleash-client'

const flags = await startUnleash({
  url: 'http://localhost:4242/api',
  appName: 'my-service',
  customHeaders: { Authorization: '<client token>' },
})
console.log(flags.isEnabled('new-checkout', { userId: '42' }))
console.log(flags.getVariant('new-checkout', { userId: '42' }).name)
// sends usage before the process ends
await flags.destroyWithFlush()`,
      },
    ],
  },
  {
    id: 'java',
    name: 'Java, Kotlin',
    group: 'servers',
    kind: 'client',
    install: 'io.getunleash:unleash-client-java',
    files: [
      {
        code: `import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.UnleashContext;
import io.getunleash.util.UnleashConfig;

UnleashConfig config = UnleashConfig.builder()
    .appName("my-service")
    .instanceId("my-service-1")
    .unleashAPI("http://localhost:4242/api")
    .apiKey("<client token>")
    .synchronousFetchOnInitialisation(true)
    .build();
Unleash flags = new DefaultUnleash(config);
boolean on = flags.isEnabled("new-checkout", UnleashContext.builder().userId("42").build());`,
      },
    ],
  },
  {
    id: 'go',
    name: 'Go',
    group: 'servers',
    kind: 'client',
    install: 'go get github.com/Unleash/unleash-go-sdk/v6',
    files: [
      {
        code: `import (
	"log"
	"net/http"

	unleash "github.com/Unleash/unleash-go-sdk/v6"
	"github.com/Unleash/unleash-go-sdk/v6/context"
)

// without a listener, a wrong token is silent, and WaitForReady waits forever
type listener struct{}

func (listener) OnError(err error)   { log.Println("flags:", err) }
func (listener) OnWarning(err error) { log.Println("flags:", err) }

err := unleash.Initialize(
	unleash.WithAppName("my-service"),
	unleash.WithUrl("http://localhost:4242/api/"),
	unleash.WithCustomHeaders(http.Header{"Authorization": {"<client token>"}}),
	unleash.WithListener(listener{}),
)
if err != nil {
	panic(err)
}
unleash.WaitForReady()
on := unleash.IsEnabled("new-checkout", unleash.FeatureOptions{Ctx: context.Context{UserId: "42"}})`,
      },
    ],
  },
  {
    id: 'python',
    name: 'Python',
    group: 'servers',
    kind: 'client',
    install: 'pip install UnleashClient',
    files: [
      {
        code: `from UnleashClient import UnleashClient

flags = UnleashClient(
    url="http://localhost:4242/api",
    app_name="my-service",
    custom_headers={"Authorization": "<client token>"},
)
flags.initialize_client()
on = flags.is_enabled("new-checkout", {"userId": "42"})`,
      },
    ],
  },
  {
    id: 'ruby',
    name: 'Ruby',
    group: 'servers',
    kind: 'client',
    install: 'gem install unleash',
    files: [
      {
        code: `require 'unleash'

flags = Unleash::Client.new(
  url: 'http://localhost:4242/api',
  app_name: 'my-service',
  custom_http_headers: { 'Authorization': '<client token>' }
)
on = flags.is_enabled?('new-checkout', Unleash::Context.new(user_id: '42'))`,
      },
    ],
  },
  {
    id: 'php',
    name: 'PHP',
    group: 'servers',
    kind: 'client',
    install: 'composer require unleash/client symfony/http-client nyholm/psr7 symfony/cache',
    files: [
      {
        code: `use Unleash\\Client\\Configuration\\UnleashContext;
use Unleash\\Client\\UnleashBuilder;

$flags = UnleashBuilder::create()
    ->withAppName('my-service')
    ->withInstanceId('my-service-1')
    ->withAppUrl('http://localhost:4242/api')
    ->withHeader('Authorization', '<client token>')
    ->build();
$on = $flags->isEnabled('new-checkout', new UnleashContext(currentUserId: '42'));`,
      },
    ],
  },
  {
    id: 'dotnet',
    name: '.NET',
    group: 'servers',
    kind: 'client',
    install: 'dotnet add package Unleash.Client',
    files: [
      {
        code: `using Unleash;

var settings = new UnleashSettings
{
    AppName = "my-service",
    UnleashApi = new Uri("http://localhost:4242/api/"),
    CustomHttpHeaders = new Dictionary<string, string> { ["Authorization"] = "<client token>" },
};
var flags = new DefaultUnleash(settings);
var on = flags.IsEnabled("new-checkout", new UnleashContext { UserId = "42" });`,
      },
    ],
  },
  {
    id: 'rust',
    name: 'Rust',
    group: 'servers',
    kind: 'client',
    install: 'cargo add unleash-api-client --features reqwest-client',
    files: [
      {
        code: `use unleash_api_client::client::{ClientBuilder, FeatureKey};
use unleash_api_client::Context;

#[derive(Debug, Clone, Copy, FeatureKey)]
enum Flags {
    #[feature_name("new-checkout")]
    NewCheckout,
}

let flags = ClientBuilder::default().into_client::<Flags>(
    "http://localhost:4242/api",
    "my-service",
    "my-service-1",
    Some("<client token>".to_owned()),
)?;
flags.register().await?;
// in a separate task: flags.poll_for_updates().await
let context = Context { user_id: Some("42".to_owned()), ..Default::default() };
let on = flags.is_enabled(Flags::NewCheckout, Some(&context), false);`,
      },
    ],
  },
]
