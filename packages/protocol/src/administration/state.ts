import Type, { type Static, type TSchema } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { SortOrder } from '../environment.ts'
import { ConstraintInput } from '../targeting/constraint.ts'
import { NO_IGNORED_RESTRICTION } from '../targeting/restriction.ts'
import { SegmentId } from '../targeting/segment.ts'
import { ParameterDefinition } from '../targeting/strategy-type.ts'
import { VariantInput } from '../targeting/variant.ts'

/** Schemas for the export and import of a complete installation as one document. Source: wire protocol, version 4 */

const Name = Type.String({ minLength: 1, maxLength: 100 })
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
/** Maximum length of a list: 20,000 flags in 100 environments have two million states. */
const MAX_ITEMS = 10_000_000
const YesOrNull = Type.Union([Type.Boolean(), Type.Null()])
const createOptionalList = <T extends TSchema>(item: T) => Type.Optional(Type.Array(item, { maxItems: MAX_ITEMS }))

const STRATEGY = {
  title: Type.Optional(TextOrNull),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
  constraints: Type.Optional(Type.Array(ConstraintInput)),
  variants: Type.Optional(Type.Array(VariantInput)),
  disabled: Type.Optional(YesOrNull),
}

const StateFeature = Type.Object(
  {
    name: FeatureName,
    description: Type.Optional(TextOrNull),
    type: Type.Optional(Name),
    project: Type.Optional(Name),
    stale: Type.Optional(YesOrNull),
    impressionData: Type.Optional(YesOrNull),
    archived: Type.Optional(YesOrNull),
    createdAt: Type.Optional(TextOrNull),
    lastSeenAt: Type.Optional(TextOrNull),
    archivedAt: Type.Optional(TextOrNull),
    /**
     * Documents of versions 1 and 2 have no environments: `enabled`, `strategies` and `variants` are the flag's state
     * in the environment `default`.
     */
    enabled: Type.Optional(YesOrNull),
    strategies: Type.Optional(Type.Array(Type.Object({ name: Name, ...STRATEGY }, NO_IGNORED_RESTRICTION))),
    variants: Type.Optional(Type.Union([Type.Array(VariantInput), Type.Null()])),
  },
  NO_IGNORED_RESTRICTION,
)

const StateStrategy = Type.Object(
  {
    id: Type.Optional(Type.String()),
    featureName: FeatureName,
    projectId: Type.Optional(Type.String()),
    environment: Name,
    strategyName: Name,
    sortOrder: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    ...STRATEGY,
  },
  NO_IGNORED_RESTRICTION,
)

const StateProject = Type.Object({
  id: Name,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(TextOrNull),
  mode: Type.Optional(Type.String()),
  defaultStickiness: Type.Optional(Name),
})

const StateEnvironment = Type.Object({
  name: Name,
  type: Name,
  sortOrder: Type.Optional(SortOrder),
  enabled: Type.Optional(Type.Boolean()),
  protected: Type.Optional(Type.Boolean()),
})

const StateSegment = Type.Object(
  {
    id: SegmentId,
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Type.Optional(TextOrNull),
    project: Type.Optional(TextOrNull),
    constraints: Type.Array(ConstraintInput, { maxItems: 250 }),
  },
  NO_IGNORED_RESTRICTION,
)

/** State of a complete installation. */
export const StateDocument = Type.Object(
  {
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    features: createOptionalList(StateFeature),
    strategies: createOptionalList(
      Type.Object({
        name: Name,
        description: Type.Optional(TextOrNull),
        parameters: Type.Optional(Type.Array(ParameterDefinition)),
        deprecated: Type.Optional(YesOrNull),
        title: Type.Optional(TextOrNull),
      }),
    ),
    projects: createOptionalList(StateProject),
    tagTypes: createOptionalList(
      Type.Object({
        name: Type.String({ minLength: 2, maxLength: 50 }),
        description: Type.Optional(TextOrNull),
        icon: Type.Optional(TextOrNull),
      }),
    ),
    tags: createOptionalList(Type.Object({ type: Name, value: Type.String({ minLength: 2, maxLength: 50 }) })),
    featureTags: createOptionalList(
      Type.Object({
        featureName: FeatureName,
        tagType: Type.Optional(Name),
        type: Type.Optional(Name),
        tagValue: Type.Optional(Type.String({ minLength: 2, maxLength: 50 })),
        value: Type.Optional(Type.String({ minLength: 2, maxLength: 50 })),
      }),
    ),
    featureStrategies: createOptionalList(StateStrategy),
    environments: createOptionalList(StateEnvironment),
    featureEnvironments: createOptionalList(
      Type.Object(
        {
          featureName: FeatureName,
          environment: Name,
          enabled: Type.Optional(Type.Boolean()),
          variants: Type.Optional(Type.Union([Type.Array(VariantInput), Type.Null()])),
        },
        NO_IGNORED_RESTRICTION,
      ),
    ),
    segments: createOptionalList(StateSegment),
    featureStrategySegments: createOptionalList(
      Type.Object({ featureStrategyId: Type.String(), segmentId: SegmentId }),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type StateDocument = Static<typeof StateDocument>

/** Boolean in the spellings that scripts use. */
const YesOrNo = Type.Enum(['true', 'false', '1', '0', 'yes', 'no'])
const Part = Type.Optional(YesOrNo)

/** Returns true if a query value means yes. */
export function isYes(word: Static<typeof YesOrNo>): boolean {
  return word === 'true' || word === '1' || word === 'yes'
}

/** Query of the export: format, download, and the parts to omit (`false`). */
export const StateExportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'yaml'])),
  download: Part,
  strategies: Part,
  featureToggles: Part,
  projects: Part,
  tags: Part,
  environments: Part,
  segments: Part,
})
export type StateExportQuery = Static<typeof StateExportQuery>

/**
 * Query of the import. `drop` first removes all objects that the document replaces. `keep` (default: true) leaves
 * existing flags unchanged; without it, the import rejects a document that contains existing flags. `closeUnguarded`
 * turns off flags that are on without an enabled strategy.
 */
export const StateImportQuery = Type.Object({ drop: Part, keep: Part, closeUnguarded: Part })
export type StateImportQuery = Static<typeof StateImportQuery>
