/** OpenFeature context keys that map to Unleash context fields. Source: the Unleash provider for OpenFeature. */
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'] as const

/**
 * Converts an OpenFeature context to an Unleash context. `targetingKey` becomes `userId`; if both are sent,
 * `targetingKey` wins. Unknown keys become properties, in which strings and numbers keep their type and booleans become
 * strings. Values that are not scalars are dropped.
 */
export function toUnleashContext(sent: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const context: Record<string, unknown> = {}
  const properties: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const scalar = toScalar(value)
    if (name === 'targetingKey' || scalar === undefined) continue
    if ((FIELDS as readonly string[]).includes(name)) context[name] = name === 'currentTime' ? scalar : String(scalar)
    else properties[name] = scalar
  }
  const user = toScalar(sent.targetingKey)
  if (user !== undefined && user !== '') context.userId = String(user)
  return { ...context, properties }
}

function toScalar(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? String(value) : undefined
}
