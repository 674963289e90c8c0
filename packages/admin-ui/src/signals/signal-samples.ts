/** Address and token of a signal endpoint. */
interface Endpoint {
  /** Address of the server without a trailing slash. */
  readonly address: string
  readonly name: string
  readonly token: string
}

const getUrl = ({ address, name }: Endpoint): string => `${address}/api/signal-endpoint/${name}`

/** Returns the Alertmanager receiver that reports alerts to this endpoint. */
export const buildAlertmanagerConfig = (endpoint: Endpoint): string => `receivers:
  - name: burgee
    webhook_configs:
      - url: ${getUrl(endpoint)}
        http_config:
          authorization:
            credentials: '${endpoint.token}'`

/** Returns a request that reports one alert and that any system can send. */
export const buildCurl = ({ message, ...endpoint }: Endpoint & { readonly message: string }): string =>
  `curl -X POST '${getUrl(endpoint)}' \\
  -H 'Authorization: Bearer ${endpoint.token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"rule":"HighErrorRate","message":"${message}"}'`
