import Type, { type Static, type TSchema } from 'typebox'
import { DependencyInput } from '../batch.ts'
import { ConstraintInput } from '../targeting/constraint.ts'
import { LegalValue } from '../targeting/context-field.ts'
import { OverrideInput, PayloadInput, VariantInput } from '../targeting/variant.ts'
import { MAX_INTERVAL_MINUTES, MAX_MILESTONE_STRATEGIES, MAX_MILESTONES } from './release-plan.ts'

/**
 * Files that describe flags and the objects that flags use, with one object per file. The files contain names instead
 * of ids. Undeclared properties are errors, so that a typo never widens the audience of a flag.
 */

const STRICT = { additionalProperties: false } as const
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Description = Type.Optional(Type.String({ maxLength: 5000 }))
const Segments = Type.Optional(Type.Array(Name, { maxItems: 100, description: 'Names of segments.' }))
const FileVariant = Type.Object(
  {
    ...VariantInput.properties,
    payload: Type.Optional(Type.Object(PayloadInput.properties, STRICT)),
    overrides: Type.Optional(Type.Array(Type.Object(OverrideInput.properties, STRICT), { maxItems: 500 })),
  },
  STRICT,
)
const Variants = Type.Optional(Type.Array(FileVariant, { maxItems: 500 }))

const STRATEGY = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Strategy type, such as flexibleRollout.' }),
  title: Type.Optional(Type.String({ maxLength: 5000 })),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
  constraints: Type.Optional(Type.Array(ConstraintInput, { maxItems: 500 })),
  segments: Segments,
  variants: Variants,
}

/** Strategy of a flag in one environment. */
export const FileStrategy = Type.Object({ ...STRATEGY, disabled: Type.Optional(Type.Boolean()) }, STRICT)
export type FileStrategy = Static<typeof FileStrategy>

/** State of a flag in one environment. A list that is omitted counts as empty. */
export const FileEnvironment = Type.Object(
  {
    enabled: Type.Boolean(),
    strategies: Type.Optional(Type.Array(FileStrategy, { maxItems: 500 })),
    variants: Variants,
    release: Type.Optional(
      Type.Object(
        {
          template: Type.String({ minLength: 1, maxLength: 200, description: 'Name of a release template.' }),
          milestone: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Active milestone. If it is omitted, the milestone is left to the release plan.',
            }),
          ),
        },
        STRICT,
      ),
    ),
  },
  STRICT,
)
export type FileEnvironment = Static<typeof FileEnvironment>

/** Flag, with its state in some environments. Environments that the file does not name remain unchanged. */
export const FlagFile = Type.Object(
  {
    kind: Type.Literal('Flag'),
    name: Name,
    type: Type.Optional(Name),
    description: Description,
    stale: Type.Optional(Type.Boolean()),
    impressionData: Type.Optional(Type.Boolean()),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 4, maxLength: 151, pattern: '^[^:]+:', description: 'Tag as type:value.' }), {
        maxItems: 500,
      }),
    ),
    dependencies: Type.Optional(
      Type.Array(Type.Object(DependencyInput.properties, STRICT), {
        maxItems: 1,
        description: 'Parent of the flag, at most one.',
      }),
    ),
    environments: Type.Optional(Type.Record(Type.String(), FileEnvironment)),
  },
  STRICT,
)
export type FlagFile = Static<typeof FlagFile>

/** Segment of one project, or of all projects. */
export const SegmentFile = Type.Object(
  {
    kind: Type.Literal('Segment'),
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Description,
    project: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Omit for all projects.' })),
    constraints: Type.Array(ConstraintInput, { maxItems: 250 }),
  },
  STRICT,
)
export type SegmentFile = Static<typeof SegmentFile>

/** Context field, which all projects share. */
export const ContextFieldFile = Type.Object(
  {
    kind: Type.Literal('ContextField'),
    name: Name,
    description: Description,
    stickiness: Type.Optional(Type.Boolean()),
    legalValues: Type.Optional(Type.Array(Type.Object(LegalValue.properties, STRICT), { maxItems: 1000 })),
  },
  STRICT,
)
export type ContextFieldFile = Static<typeof ContextFieldFile>

const Milestone = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    intervalMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_INTERVAL_MINUTES,
        description: 'Minutes after which the next milestone starts. If omitted, it is started by hand.',
      }),
    ),
    strategies: Type.Optional(Type.Array(Type.Object(STRATEGY, STRICT), { maxItems: MAX_MILESTONE_STRATEGIES })),
  },
  STRICT,
)

/** Release template, which all projects share. */
export const ReleaseTemplateFile = Type.Object(
  {
    kind: Type.Literal('ReleaseTemplate'),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Description,
    milestones: Type.Optional(Type.Array(Milestone, { maxItems: MAX_MILESTONES })),
  },
  STRICT,
)
export type ReleaseTemplateFile = Static<typeof ReleaseTemplateFile>

/** Schemas of files, by their `kind`. */
export const CONFIG_FILE_KINDS = {
  Flag: FlagFile,
  Segment: SegmentFile,
  ContextField: ContextFieldFile,
  ReleaseTemplate: ReleaseTemplateFile,
} as const satisfies Readonly<Record<string, TSchema>>
export type ConfigFileKind = keyof typeof CONFIG_FILE_KINDS
/** Content of any file. */
export type ConfigFileContent = FlagFile | SegmentFile | ContextFieldFile | ReleaseTemplateFile

/** JSON schema for the content of any file, for editors and other tools. */
export const ConfigFileContent = Type.Union(Object.values(CONFIG_FILE_KINDS), {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Burgee: flag, segment, context field or release template',
})
