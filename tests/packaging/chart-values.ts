/** Values for the chart, by what they test, and values that the chart rejects. */
const ingress = { enabled: true, className: 'nginx', host: 'flags.example.com', tlsSecret: 'flags-tls' }
const database = { existingSecret: 'postgres', key: 'address' }
const proxyUrl = { FLAG_URL: 'http://demo-burgee-server/api' }
const edgeUrl = { UPSTREAM_URL: 'http://demo-burgee-server' }
const proxy = (values: object, env: object = {}) => ({
  proxy: { enabled: true, env: { ...proxyUrl, ...env }, ...values },
})
const edge = (values: object, env: object = {}) => ({ edge: { enabled: true, env: { ...edgeUrl, ...env }, ...values } })
const server = (values: object) => ({ server: values })
const all = (values: object) => ({ server: { database, ...values }, ...proxy(values), ...edge(values) })

/** Variable that the tests store in a secret. */
export const SECRET_VARIABLE = 'INIT_CLIENT_API_TOKENS'

/** Values that use most of the chart at once. */
export const EVERYTHING = {
  server: {
    replicas: 3,
    database,
    env: { SERVER_URL: 'https://flags.example.com', TRUST_PROXY: '10.0.0.0/8', DATABASE_POOL_MAX: 20 },
    secretEnv: { [SECRET_VARIABLE]: 'default:production.a-secret' },
    existingSecret: 'more-secrets',
    resources: { requests: { cpu: '250m', memory: '256Mi' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { a: 'b' } },
      },
    ],
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    nodeSelector: { arch: 'arm64' },
    ingress,
  },
  proxy: { enabled: true, env: proxyUrl, existingSecret: 'proxy-keys', ingress },
  edge: { enabled: true, env: edgeUrl, secretEnv: { TOKENS: '*:production.a' }, ingress },
  backup: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true },
  dashboard: { enabled: true },
  imagePullSecrets: [{ name: 'registry' }],
}

/** Values that the chart accepts. */
export const ACCEPTED: readonly (readonly [title: string, values: object])[] = [
  ['nothing', {}],
  ['most of the chart', EVERYTHING],
  ['a proxy alone', { server: { enabled: false }, serviceAccount: { create: false }, ...proxy({}) }],
  ['an edge alone', { server: { enabled: false }, ...edge({}) }],
  ['other names', { nameOverride: 'flags', fullnameOverride: 'flags' }],
  ['an image by digest', { image: { repository: 'r/burgee', digest: `sha256:${'a'.repeat(64)}` } }],
  ['an image by tag', { image: { tag: '1.2.3', pullPolicy: 'Always' } }],
  ['labels of all objects', { commonLabels: { team: 'platform' }, ...proxy({}), backup: { enabled: true } }],
  ['an account with annotations', { serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn' } } }],
  ['a platform that chooses users', { podSecurityContext: null }],
  ['three servers on PostgreSQL', server({ replicas: 3, database })],
  ['a storage class', server({ persistence: { storageClass: 'fast', size: '20Gi', annotations: { a: 'b' } } })],
  ['an existing claim', server({ persistence: { existingClaim: 'my-data' } })],
  ['a claim that is deleted', server({ persistence: { whenDeleted: 'Delete', whenScaled: 'Delete' } })],
  ['a claim of one pod', server({ persistence: { accessModes: ['ReadWriteOncePod'] } })],
  ['a smaller temporary volume', all({ emptyDir: { sizeLimit: '100Mi', medium: 'Memory' } })],
  ['another delay', all({ shutdownDelay: 30 })],
  [
    'several secrets and ConfigMaps',
    all({ envFrom: [{ secretRef: { name: 'a' } }, { configMapRef: { name: 'b' }, prefix: 'X_' }] }),
  ],
  [
    'variables from fields and keys',
    all({
      extraEnv: [
        { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        { name: 'SHUTDOWN_DELAY', valueFrom: { configMapKeyRef: { name: 'c', key: 'delay' } } },
      ],
    }),
  ],
  [
    'a CA certificate in a volume',
    all({
      extraVolumes: [{ name: 'ca', secret: { secretName: 'ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/certificates', readOnly: true }],
    }),
  ],
  ['a volume beside the embedded database', server({ extraVolumes: [{ name: 'x', emptyDir: {} }] })],
  ['init containers', all({ initContainers: [{ name: 'wait', image: 'busybox', command: ['true'] }] })],
  ['a database proxy', all({ sidecars: [{ name: 'sql', image: 'sql-proxy', ports: [{ containerPort: 5432 }] }] })],
  ['resources', all({ resources: { requests: { cpu: '100m' }, limits: { memory: '512Mi' } } })],
  [
    'other probes',
    all({
      startupProbe: { failureThreshold: 120 },
      livenessProbe: { initialDelaySeconds: 5, httpGet: { httpHeaders: [{ name: 'a', value: 'b' }] } },
      readinessProbe: { periodSeconds: 1 },
    }),
  ],
  ['a hook', all({ lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } } })],
  ['annotations and labels', all({ annotations: { a: 'b' }, podAnnotations: { c: 'd' }, podLabels: { e: 'f' } })],
  [
    'where pods run',
    all({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      priorityClassName: 'high',
    }),
  ],
  [
    'names and addresses',
    all({
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }],
      dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
      revisionHistoryLimit: 3,
    }),
  ],
  ['a node port', all({ service: { type: 'NodePort', nodePort: 30_080 } })],
  [
    'a load balancer',
    all({
      service: {
        type: 'LoadBalancer',
        loadBalancerIP: '10.0.0.9',
        loadBalancerClass: 'internal',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        annotations: { a: 'b' },
        labels: { c: 'd' },
      },
    }),
  ],
  ['a budget of available pods', all({ replicas: 4, podDisruptionBudget: { minAvailable: '50%' } })],
  ['no budget', all({ replicas: 2, podDisruptionBudget: { enabled: false } })],
  [
    'autoscaling',
    all({
      autoscaling: {
        enabled: true,
        metrics: [
          { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
      },
    }),
  ],
  ['an Ingress', all({ ingress })],
  [
    'several hosts and paths',
    all({
      ingress: {
        enabled: true,
        hosts: [
          { host: 'a.example.com', paths: [{ path: '/api' }, { path: '/proxy', pathType: 'Exact' }] },
          { host: 'b.example.com' },
        ],
        tls: [{ hosts: ['a.example.com'], secretName: 'a' }],
        labels: { public: 'yes' },
      },
    }),
  ],
  [
    'an HTTPRoute',
    all({
      httpRoute: {
        enabled: true,
        parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
        hostnames: ['flags.example.com'],
        filters: [{ type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['X-Internal'] } }],
        annotations: { a: 'b' },
      },
    }),
  ],
  [
    'network policies',
    all({
      networkPolicy: {
        enabled: true,
        from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
        egress: [{ ports: [{ port: 5432, protocol: 'TCP' }] }],
      },
    }),
  ],
  ['network policies for incoming traffic', all({ networkPolicy: { enabled: true } })],
  [
    'base paths',
    {
      server: { env: { BASE_URI_PATH: '/flags/' }, ingress },
      ...proxy({ ingress }, { PROXY_BASE_PATH: '/p' }),
      ...edge({ ingress }, { BASE_PATH: 'e' }),
    },
  ],
  [
    'other ports',
    { server: { env: { HTTP_PORT: 8080 } }, ...proxy({}, { PROXY_PORT: 8081 }), ...edge({}, { PORT: 8082 }) },
  ],
  [
    'an edge with TLS',
    edge(
      { networkPolicy: { enabled: true } },
      { TLS_ENABLE: true, TLS_SERVER_KEY: '/tls/key', TLS_SERVER_CERT: '/tls/crt' },
    ),
  ],
  [
    'an edge that redirects to TLS',
    {
      ...edge({}, { TLS_ENABLE: 'true', TLS_SERVER_PORT: 8443, REDIRECT_HTTP_TO_HTTPS: true }),
      serviceMonitor: { enabled: true, tlsConfig: { insecureSkipVerify: true } },
    },
  ],
  [
    'monitors elsewhere',
    {
      ...all({}),
      serviceMonitor: {
        enabled: true,
        namespace: 'monitoring',
        scrapeTimeout: '5s',
        relabelings: [{ sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'node' }],
        metricRelabelings: [{ regex: 'nodejs_.*', action: 'drop', sourceLabels: ['__name__'] }],
      },
      prometheusRule: {
        enabled: true,
        namespace: 'monitoring',
        labels: { release: 'prometheus' },
        runbookUrl: 'https://docs.example.com/runbook',
      },
      dashboard: { enabled: true, namespace: 'monitoring', annotations: { folder: 'Burgee' } },
    },
  ],
  ['a server without metrics', server({ env: { SERVER_METRICS: false } })],
  [
    'backups of the embedded database',
    { backup: { enabled: true, schedule: '@hourly', timeZone: 'Europe/Berlin', keep: 3 } },
  ],
  [
    'backups of PostgreSQL',
    { server: { database }, backup: { enabled: true, persistence: { existingClaim: 'dumps' } } },
  ],
  ['no test pods', { tests: { enabled: false } }],
  [
    'further objects',
    {
      extraObjects: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'more' }, data: { a: 'b' } },
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include "burgee.fullname" . }}-text\ndata: {}\n',
      ],
    },
  ],
]

/** Values that the chart rejects, with the reason. */
export const REJECTED: readonly (readonly [values: object, message: RegExp])[] = [
  [{ sever: {} }, /additional properties 'sever' not allowed/],
  [{ server: { replica: 2 } }, /additional properties 'replica' not allowed/],
  [{ server: { replicas: 'two' } }, /replicas.*got string, want integer/],
  [{ proxy: { env: { FLAG_URL: ['a', 'b'] } } }, /FLAG_URL.*got array/],
  [{ edge: { env: { 'no name': 'x' } } }, /no name/],
  [{ server: { service: { port: 70_000 } } }, /port.*maximum/],
  [{ server: { persistence: { whenDeleted: 'Keep' } } }, /whenDeleted/],
  [{ image: { tag: 'sha256:abc' } }, /tag/],
  [{ image: { digest: 'latest' } }, /digest.*does not match/],
  [{ server: { replicas: 2 } }, /server\.replicas is more than 1/],
  [{ server: { autoscaling: { enabled: true } } }, /server\.autoscaling needs PostgreSQL/],
  [{ proxy: { enabled: true } }, /proxy\.env\.FLAG_URL is required/],
  [{ edge: { enabled: true } }, /edge\.env\.UPSTREAM_URL is required/],
  [{ server: { ingress: { enabled: true } } }, /server\.ingress\.host is required/],
  [{ server: { httpRoute: { enabled: true } } }, /server\.httpRoute\.parentRefs is required/],
  [{ server: { secretEnv: { HTTP_PORT: '1' } } }, /HTTP_PORT must be in server\.env, not in server\.secretEnv/],
  [
    edge({ extraEnv: [{ name: 'TLS_ENABLE', value: 'true' }] }),
    /TLS_ENABLE must be in edge\.env, not in edge\.extraEnv/,
  ],
  [
    { server: { env: { SERVER_METRICS: false } }, serviceMonitor: { enabled: true } },
    /server\.env\.SERVER_METRICS disables/,
  ],
  [
    { ...edge({}, { DISABLE_METRICS_ENDPOINT: 'true' }), serviceMonitor: { enabled: true } },
    /edge\.env\.DISABLE_METRICS_ENDPOINT disables/,
  ],
  [{ server: { enabled: false }, backup: { enabled: true } }, /backup\.enabled needs server\.enabled/],
  [{ server: { persistence: { accessModes: ['ReadWriteOncePod'] } }, backup: { enabled: true } }, /ReadWriteOncePod/],
]
