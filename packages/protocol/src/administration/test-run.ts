import Type, { type Static } from 'typebox'
import { RowId } from '../row-id.ts'

/** Limits of test runs. */
export const TEST_RUN_LIMITS = { minutes: 120, overrides: 200, name: 100 }

/** State of a flag in a test run: on or off for everyone, or on with a variant. */
export const FlagOverride = Type.Union([
  Type.Boolean(),
  Type.Object(
    { variant: Type.String({ minLength: 1, maxLength: TEST_RUN_LIMITS.name }) },
    { additionalProperties: false },
  ),
])
export type FlagOverride = Static<typeof FlagOverride>

const FlagName = Type.String({ minLength: 1, maxLength: TEST_RUN_LIMITS.name })
const OverrideOrNull = Type.Union([FlagOverride, Type.Null()])

/** Body that starts a test run. An override of null is the same as none. */
export const TestRunInput = Type.Object(
  {
    environment: Type.String({ minLength: 1, maxLength: TEST_RUN_LIMITS.name }),
    name: Type.String({ maxLength: TEST_RUN_LIMITS.name, default: '' }),
    overrides: Type.Record(FlagName, OverrideOrNull, { maxProperties: TEST_RUN_LIMITS.overrides, default: {} }),
    minutes: Type.Integer({ minimum: 1, maximum: TEST_RUN_LIMITS.minutes, default: 60 }),
  },
  { additionalProperties: false },
)
export type TestRunInput = Static<typeof TestRunInput>

/**
 * Body that changes overrides of a test run. Null removes an override; other overrides keep their value. If `version`
 * is given, the change is rejected unless the run has this version.
 */
export const TestRunUpdate = Type.Object(
  {
    overrides: Type.Record(FlagName, OverrideOrNull, { maxProperties: TEST_RUN_LIMITS.overrides }),
    version: Type.Optional(RowId),
  },
  { additionalProperties: false },
)
export type TestRunUpdate = Static<typeof TestRunUpdate>

/** State of a test run, without its tokens. */
export const TestRunState = Type.Object({
  id: Type.String(),
  name: Type.String(),
  environment: Type.String(),
  overrides: Type.Record(Type.String(), FlagOverride),
  /** Starts at 1, and grows with each change of the overrides. */
  version: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time' }),
})
export type TestRunState = Static<typeof TestRunState>

/** Test runs of a project that have not ended, newest first. */
export const TestRunList = Type.Object({ testRuns: Type.Array(TestRunState) })

/** New test run with its tokens, which the server does not show again. */
export const NewTestRun = Type.Object({
  ...TestRunState.properties,
  clientToken: Type.String(),
  frontendToken: Type.String(),
})
export type NewTestRun = Static<typeof NewTestRun>
