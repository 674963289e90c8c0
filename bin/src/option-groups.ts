/** Headings of options in the help, in order. The first pattern that matches the name of an option applies. */
const GROUPS: readonly (readonly [heading: string, names: RegExp])[] = [
  ['Import', /^(import|from[A-Z]|schema$|project$|dryRun$|merge$|update$|events$|integrations$)/],
  ['Evaluate', /^(context|token|json)$/],
  ['Compare', /^(against|url|tokensFile|file|contexts|seed)$/],
  ['Check', /^(flags|format)$/],
  ['Files', /^(out|flag|prune|plan|repository|commit)$/],
  ['Encryption', /^requireEncryption$/],
  [
    'Upstream',
    /^(flagUrl|flagApiToken|upstream|tokens|refreshInterval|streaming|projectName|namePrefix|tags$|(http|https|all|no)Proxy|httpOptions|skipSsl|upstreamCertificate|customClientHeaders|featuresRefresh|flagAppName|flagInstanceId|appName|instanceId|pretrusted|dynamic|strict|tokenRevalidation|pkcs|pem)/,
  ],
  [
    'Callers',
    /^(clientKeys|proxySecrets|environment$|expServerSide|trust|proxyTrusted|allowList|denyList|edgeAuthHeader|tokenHeader|frontendApiOrigins|cors|accessControl|proxyEnvironment|clientToken|frontendToken)/,
  ],
  [
    'Listening',
    /^(port|host|interface|maintenance|proxyPort|proxyHost|proxyBasePath|basePath|baseUriPath|serverUrl|workers|httpFastLane|bodyMemory|listenBacklog|maxStreams|server(KeepAlive|Headers)|tls|redirectHttp|shutdownDelay|enable|disable|serverMetrics|exposeImpactMetrics|forwardedMetrics|edge(RequestTimeout|KeepaliveTimeout)|clientKeepalive|evaluation)/,
  ],
  ['Database', /^(dataDir|database|keepDocuments|demo)/],
  ['Backup for a start without the upstream', /^(backup|storage|redis|bootstrap|expBootstrap|reload)/],
  ['Snapshots for starts without the upstream', /^metrics/],
  ['Plugins', /^(customStrategies|expCustomEnrichers)/],
  [
    'Users and tokens',
    /^(session|clearSiteData|maxParallel|personalToken|userInactivity|secureCookies|hsts|enforcePassword|defaultAdmin|init|apiTokenSecrets|secretKey)/,
  ],
  ['Single sign-on', /^oidc/],
  ['Mail', /^email/],
  ['Integrations', /^(integration|deliveryOverdue)/],
  ['Export of events', /^auditExport/],
  ['Clean-up of flags', /^unusedFlag/],
  ['Retention', /Retention/],
  ['OpenTelemetry', /^(otel|evaluationEvent)/],
  ['Rate limits', /Limit(Per(Minute|Hour))?$/],
  ['Log', /^(log|useJsonLogger|securityLog|rustLog)/],
]
const OTHER = 'Other'

/** All headings in order. */
export const OPTION_GROUPS: readonly string[] = [...GROUPS.map(([heading]) => heading), OTHER]

/** Returns the heading of an option. */
export function getOptionGroup(name: string): string {
  return GROUPS.find(([, names]) => names.test(name))?.[0] ?? OTHER
}
