import { OPERATORS, type Operator } from '@burgee/protocol/targeting/operator'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { SourceRefused } from '../../model/source.ts'

/**
 * Types of the properties of a document that decide flags. Engines read a value of another type differently: the text
 * "false" inverts a constraint in one engine and not in another. So documents with such a value are rejected.
 */

const OrNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const YesOrNull = OrNull(Type.Boolean())
const ListOrNull = <T extends TSchema>(item: T) => OrNull(Type.Array(item))
/** Numbers and booleans occur in old documents; every engine reads them as their text. */
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** Parameters are strings, except in old documents. Engines disagree on a name that is not a string. */
const Parameters = Type.Intersect([
  Type.Object({
    groupId: Type.Optional(Type.String()),
    stickiness: Type.Optional(Type.String()),
    rollout: OrNull(Type.Union([Type.String(), Type.Number()])),
  }),
  Type.Record(Type.String(), Scalar),
])

const NamedConstraint = Type.Object({
  contextName: Type.String(),
  operator: Type.String(),
  values: ListOrNull(Type.String()),
  value: OrNull(Type.Union([Type.String(), Type.Number()])),
  inverted: YesOrNull,
  caseInsensitive: YesOrNull,
})

/** For some engines, null is the number 0. */
const Constraint = Type.Refine(
  NamedConstraint,
  ({ operator, value }) => !(value === null && isComparison(operator)),
  () => 'must have a value',
)

const isComparison = (operator: string): boolean =>
  ['number', 'date', 'version'].includes(OPERATORS[operator as Operator] ?? '')

const Override = Type.Object({ contextName: Type.String(), values: Type.Array(Type.String()) })
const Variant = Type.Object({
  name: Type.String(),
  weight: Type.Number(),
  stickiness: OrNull(Type.String()),
  overrides: ListOrNull(Override),
  payload: OrNull(Type.Object({ type: Type.String(), value: Type.String() })),
})

const STRATEGY = {
  disabled: YesOrNull,
  parameters: OrNull(Parameters),
  constraints: ListOrNull(Constraint),
  variants: ListOrNull(Variant),
  segments: ListOrNull(Type.Number()),
}
const Strategy = Type.Object({ name: Type.String(), ...STRATEGY })

const Dependency = Type.Object({ feature: Type.String(), enabled: YesOrNull, variants: ListOrNull(Type.String()) })

const Feature = Type.Object({
  name: Type.String(),
  enabled: YesOrNull,
  archived: YesOrNull,
  archivedAt: OrNull(Type.String()),
  strategies: ListOrNull(Strategy),
  variants: ListOrNull(Variant),
  dependencies: ListOrNull(Dependency),
})

const Document = Type.Object({
  features: ListOrNull(Feature),
  featureEnvironments: ListOrNull(Type.Object({ enabled: YesOrNull, variants: ListOrNull(Variant) })),
  featureStrategies: ListOrNull(
    Type.Object({
      ...STRATEGY,
      name: OrNull(Type.String()),
      strategyName: OrNull(Type.String()),
      sortOrder: OrNull(Type.Number()),
    }),
  ),
  featureStrategySegments: ListOrNull(Type.Object({ segmentId: Type.Number() })),
  segments: ListOrNull(Type.Object({ id: Type.Number(), constraints: ListOrNull(Constraint) })),
  dependencies: ListOrNull(Type.Object({ feature: Type.String(), dependencies: ListOrNull(Dependency) })),
})
const document = Compile(Document)

/** Throws SourceRefused with the path of the first property that decides a flag and has another type than expected. */
export function requireDecidingTypes(value: object, path: string): void {
  if (document.Check(value)) return
  const places = document.Errors(value).map(({ instancePath }) => instancePath.slice(1))
  // an error of a union is also reported for the objects around it, so the longest path is the most specific
  const [place = ''] = places.toSorted((a, b) => b.split('/').length - a.split('/').length)
  throw new SourceRefused(
    `${place || 'the root'} of ${path} is missing or has another type than Unleash writes, so its meaning is unknown`,
  )
}
