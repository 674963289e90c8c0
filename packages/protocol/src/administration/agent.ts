import Type, { type Static } from 'typebox'

/** Schemas for agents, which use the server through the Model Context Protocol. Burgee extension. */

/**
 * Limit on what agents may do in an environment: only read, propose changes, or make changes. Proposals are change
 * requests, even if the environment does not require them.
 */
export const AgentAccess = Type.Enum(['read', 'propose', 'write'])
export type AgentAccess = Static<typeof AgentAccess>

/** Result of a write by an agent. */
export const AgentOutcome = Type.Enum(['applied', 'proposed'])
export type AgentOutcome = Static<typeof AgentOutcome>

/** Maximum number of writes per token and hour. */
export const MAX_AGENT_WRITES_PER_HOUR = 30

/** Mark on an event that an agent caused. */
export const EventAgent = Type.Object({
  via: Type.Literal('mcp'),
  /** Name and version of the client program, as reported by the program itself. */
  client: Type.String(),
  version: Type.String(),
  tool: Type.String(),
  /** Reason that the agent stated. */
  reason: Type.String(),
})
export type EventAgent = Static<typeof EventAgent>

/**
 * Limit that applies to agents in an environment. `isDefault` is true if the limit follows from the type of the
 * environment.
 */
export const AgentLimit = Type.Object({
  environment: Type.String(),
  type: Type.String(),
  access: AgentAccess,
  isDefault: Type.Boolean(),
})
export type AgentLimit = Static<typeof AgentLimit>

/** Response with the limits of all environments. */
export const AgentLimits = Type.Object({
  limits: Type.Array(AgentLimit),
  writesPerHour: Type.Integer(),
})
export type AgentLimits = Static<typeof AgentLimits>

/** Body that sets the limit of an environment. */
export const AgentLimitInput = Type.Object({ access: AgentAccess }, { additionalProperties: false })
export type AgentLimitInput = Static<typeof AgentLimitInput>

const NullableText = Type.Union([Type.String(), Type.Null()])

/** Write by an agent, as the overview shows it. */
export const AgentWrite = Type.Object({
  id: Type.Integer(),
  createdAt: Type.String(),
  tool: Type.String(),
  outcome: AgentOutcome,
  project: Type.String(),
  environment: NullableText,
  feature: Type.String(),
  /** Account that owns the token, and the token's description; null if the token was deleted. */
  user: NullableText,
  token: NullableText,
  client: Type.String(),
  version: Type.String(),
})
export type AgentWrite = Static<typeof AgentWrite>

/** Response with the latest writes by agents. */
export const AgentWrites = Type.Object({ writes: Type.Array(AgentWrite) })
export type AgentWrites = Static<typeof AgentWrites>
