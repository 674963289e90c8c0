import type { FeatureDocument } from '@burgee/engine'
import * as fc from 'fast-check'
import { constraints } from './arbitrary-constraints.ts'
import { SEGMENT_IDS, strategy, variants } from './arbitrary-strategies.ts'
import { maybe, sometimesJunk } from './arbitrary-values.ts'

/**
 * Flag names of a document. There are only a few, so that duplicates and parents occur. Some are integer-like or
 * unusual.
 */
export const FLAG_NAMES = ['f', 'g', 'h', 'parent', 'root', '42', '7', '用户', 'a b', '', '__proto__', 'constructor']

const segment = fc.record({
  id: fc.constantFrom<unknown>(...SEGMENT_IDS.slice(0, 3), '1'),
  name: fc.constant('s'),
  constraints,
})

const dependency = sometimesJunk(
  fc.record(
    {
      feature: fc.constantFrom(...FLAG_NAMES.slice(0, 6), 'absent'),
      enabled: maybe(sometimesJunk(fc.boolean(), 20), 3),
      variants: maybe(fc.array(fc.constantFrom('a', 'b', 'disabled'), { maxLength: 3 }), 2),
    },
    { requiredKeys: ['feature'] },
  ),
  60,
)

const feature = fc.record(
  {
    name: fc.constantFrom(...FLAG_NAMES),
    enabled: sometimesJunk(fc.constantFrom(true, true, true, true, true, true, false)),
    strategies: sometimesJunk(
      fc.oneof(
        { weight: 12, arbitrary: fc.array(strategy, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
    ),
    variants: maybe(variants, 4),
    dependencies: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<unknown>(undefined, []) },
      { weight: 1, arbitrary: sometimesJunk(fc.array(dependency, { minLength: 1, maxLength: 2 })) },
    ),
    impressionData: maybe(fc.constantFrom(true, false, null)),
  },
  { requiredKeys: ['name', 'enabled', 'strategies'] },
)

/** Document as it may come over the wire, even from a faulty server. Flag names are always strings. */
export const documentOf: fc.Arbitrary<FeatureDocument> = fc
  .record({
    features: fc.array(feature, { minLength: 1, maxLength: 10 }),
    segments: fc.array(segment, { maxLength: 5 }),
  })
  .map((document) => JSON.parse(JSON.stringify(document)) as FeatureDocument)

/** Any JSON instead of a document, or a document that contains any JSON. */
export const brokenDocumentOf: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record({
    features: fc.array(fc.oneof(feature, fc.jsonValue({ maxDepth: 3 }))),
    segments: fc.jsonValue({ maxDepth: 3 }),
  }),
  fc.record({
    features: fc.array(
      fc.record({
        name: fc.constantFrom('f', 'g'),
        enabled: fc.constant(true),
        strategies: fc.array(
          fc.record({
            name: fc.constantFrom('default', 'flexibleRollout', 'userWithId', '__proto__'),
            parameters: fc.jsonValue(),
            constraints: fc.array(fc.jsonValue()),
            segments: fc.jsonValue(),
            variants: fc.jsonValue(),
          }),
        ),
        variants: fc.jsonValue(),
        dependencies: fc.jsonValue(),
      }),
    ),
    segments: fc.array(fc.jsonValue()),
  }),
)
