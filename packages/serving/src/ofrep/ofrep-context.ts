/** Names of OpenFeature contexts that are fields of ours. Source: the established provider for OpenFeature. */
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'] as const

/**
 * An OpenFeature context as a context of ours: `targetingKey` is the user and wins over `userId`, further names are
 * properties. Texts and numbers stay what they are, other scalars become text, and what is no scalar counts as missing.
 */
export function contextOfOfrep(sent: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const context: Record<string, unknown> = {}
  const properties: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const scalar = scalarOf(value)
    if (name === 'targetingKey' || scalar === undefined) continue
    if ((FIELDS as readonly string[]).includes(name)) context[name] = name === 'currentTime' ? scalar : String(scalar)
    else properties[name] = scalar
  }
  const user = scalarOf(sent.targetingKey)
  if (user !== undefined && user !== '') context.userId = String(user)
  return { ...context, properties }
}

function scalarOf(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? String(value) : undefined
}
