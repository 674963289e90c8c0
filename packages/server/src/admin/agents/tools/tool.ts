import { compileValidator } from '@burgee/kit/input/validation'
import type { Static, TObject } from 'typebox'
import Type from 'typebox'
import type { HttpWorld } from '../../../core/http/route.ts'
import type { AgentCaller } from '../agent-caller.ts'

/** Context of a tool call. */
export interface ToolContext {
  readonly world: HttpWorld
  readonly caller: AgentCaller
  /** Returns true if the client has disconnected. */
  readonly isGone: () => boolean
}

/** Result of a tool: structured content, and one line of text that contains nothing written by users. */
export interface ToolResult<O> {
  readonly content: O
  readonly text: string
}

/** Tool that the MCP endpoint offers. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: TObject
  readonly outputSchema: TObject
  readonly annotations: ToolAnnotations
  /** A token sees the tool if it has one of these permissions in any project. Empty for read-only tools. */
  readonly permissions: readonly string[]
  /** Validates the arguments and runs the tool. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolResult<unknown>>
}

/** Hints for clients, as the protocol defines them. */
interface ToolAnnotations {
  readonly title: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

interface ToolSpec<I extends TObject, O extends TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: I
  readonly output: O
  readonly permissions?: readonly string[]
  /** True for tools that can turn a flag off for users. */
  readonly isDestructive?: true
  readonly run: (input: Static<I>, context: ToolContext) => Promise<ToolResult<Static<O>>>
}

/** Creates a tool. The types of a tool's handler are derived from its schemas. */
export function defineTool<I extends TObject, O extends TObject>(spec: ToolSpec<I, O>): Tool {
  const { name, title, description, input, output, permissions = [], isDestructive = false, run } = spec
  const check = compileValidator(input, 'arguments')
  const isReading = permissions.length === 0
  return {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    permissions,
    annotations: {
      title,
      readOnlyHint: isReading,
      destructiveHint: isDestructive,
      idempotentHint: isReading || name !== 'create_flag',
      openWorldHint: false,
    },
    run: (given, context) => run(check(given) as Static<I>, context),
  }
}

const Name = Type.String({ minLength: 1, maxLength: 100 })

/** Tool arguments that name a flag. */
export const FlagArguments = {
  projectId: Type.Optional({
    ...Name,
    description: 'Project of the flag. Flag names are unique, so it can be omitted.',
  }),
  featureName: { ...Name, description: 'Name of the flag.' },
}

/** Tool arguments that name a flag in one environment. */
export const EnvironmentArguments = {
  ...FlagArguments,
  environment: { ...Name, description: 'Environment, such as development or production.' },
}

/** Arguments that every writing tool has. */
export const WriteArguments = {
  reason: Type.String({
    minLength: 3,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why the change is made. Stored in the event log and shown to reviewers.',
  }),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'True to check the change and report its result without storing anything.' }),
  ),
}

const OUTCOMES = ['applied', 'proposed', 'unchanged'] as const

/** Result that every writing tool returns. */
export const WriteResult = Type.Object({
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.Union([Type.String(), Type.Null()]),
  outcome: Type.Enum([...OUTCOMES]),
  dryRun: Type.Boolean(),
  events: Type.Array(Type.String()),
  changeRequest: Type.Union([Type.Object({ id: Type.Integer(), state: Type.String() }), Type.Null()]),
  /** Differences in how official SDKs interpret the written values. */
  warnings: Type.Array(Type.String()),
})
