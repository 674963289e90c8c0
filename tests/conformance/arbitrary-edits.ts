import type { FeatureDocument } from '@burgee/engine'
import * as fc from 'fast-check'
import { documentOf } from './arbitrary-documents.ts'

interface Named {
  readonly name: string
}

type Edit = (document: FeatureDocument) => FeatureDocument

/**
 * Document that combines several documents. Flags and segments of the second and later documents get new names and ids.
 */
export const largeDocumentOf: fc.Arbitrary<FeatureDocument> = fc
  .array(documentOf, { minLength: 2, maxLength: 8 })
  .map((documents) => ({
    features: documents.flatMap(({ features }, i) =>
      (features as Named[]).map((feature) => ({ ...feature, name: i === 0 ? feature.name : `${feature.name}-${i}` })),
    ),
    segments: documents.flatMap(({ segments = [] }) => segments),
  }))

/**
 * Returns an edit that replaces a feature or segment with one from `other`, or inserts one from `other` in front of it.
 */
function put(part: 'features' | 'segments', at: number, from: number, isNew: boolean, other: FeatureDocument): Edit {
  return (document) => {
    const list = [...(document[part] ?? [])]
    const donors = other[part] ?? []
    if (donors.length === 0) return document
    list.splice(at % (list.length + 1), isNew ? 0 : 1, donors[from % donors.length])
    return { ...document, [part]: list }
  }
}

function remove(part: 'features' | 'segments', at: number): Edit {
  return (document) => ({ ...document, [part]: document[part]?.filter((_, i, list) => i !== at % list.length) ?? [] })
}

/** Returns an edit that moves a feature to the end. */
function move(at: number): Edit {
  return ({ features, segments }) => {
    if (features.length === 0) return { features, segments }
    const moved = features[at % features.length]
    return { features: [...features.filter((feature) => feature !== moved), moved], segments }
  }
}

function toggle(at: number): Edit {
  return ({ features, segments }) => ({
    features: features.map((feature, i) =>
      i === at % features.length
        ? { ...(feature as object), enabled: !(feature as { enabled: unknown }).enabled }
        : feature,
    ),
    segments,
  })
}

const place = fc.nat({ max: 40 })

/** Change to a document, such as an upstream makes between two refreshes. */
export const editOf: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.constantFrom('features', 'segments'), place, place, fc.boolean(), documentOf).map((args) => put(...args)),
  fc.tuple(fc.constantFrom('features', 'segments'), place).map((args) => remove(...args)),
  place.map(move),
  place.map(toggle),
  fc.constant((document: FeatureDocument) => document),
)

/** Returns a deep copy of a document. */
export function reread(document: FeatureDocument): FeatureDocument {
  return JSON.parse(JSON.stringify(document)) as FeatureDocument
}
