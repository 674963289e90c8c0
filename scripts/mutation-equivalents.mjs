/**
 * Mutants that change nothing observable, so that no test can notice them: `from` becomes `to` in the source line with
 * this text. `tests/setup/mutants.test.ts` demands that rows without a mutant are removed.
 */
export const EQUIVALENTS = [
  {
    file: 'packages/engine/src/compiled/decider.ts',
    line: 'this.#epoch = 0',
    from: 'this.#epoch = 0',
    to: ';',
    why: 'every later request clears the caches again, which costs time and changes no result',
  },
  {
    file: 'packages/engine/src/compiled/decider.ts',
    line: 'const SPARE_CONDITIONS = 1024',
    from: '1024',
    to: '1025',
    why: 'conditions without memory are evaluated again, which costs time only',
  },
  {
    file: 'packages/engine/src/compiled/decider.ts',
    line: 'const ALL_EPOCHS = { first: 0, last: LAST_EPOCH }',
    from: '0',
    to: '1',
    why: 'only differences between epochs count',
  },
  {
    file: 'packages/engine/src/compiled/decider.ts',
    line: 'if (this.#epoch >= this.#lastEpoch) this.#forget()',
    from: 'this.#epoch >= this.#lastEpoch',
    to: 'true',
    why: 'clearing the caches before each request costs time only',
  },
  {
    file: 'packages/engine/src/rules/definitions.ts',
    line: 'return { ...common, listed: listed === names.length ? names : Object.freeze(names.slice(0, listed)) }',
    from: 'listed === names.length',
    to: 'false',
    why: 'a copy of the same names costs memory only',
  },
  {
    file: 'packages/engine/src/compiled/encode-flag.ts',
    line: 'const code = [0, ...conditions, ...this.encodeChoice(strategy.variants, outcomes)]',
    from: '0',
    to: '1',
    why: 'the length replaces this item when all strategies are encoded',
  },
  {
    file: 'packages/engine/src/compiled/encode-flag.ts',
    line: 'return [Math.min(Math.floor(limit), 100), ...this.#hash(stickiness, prefix)]',
    from: '100',
    to: '101',
    why: 'the highest bucket is 100',
  },
  {
    file: 'packages/engine/src/compiled/encode-flag.ts',
    line: 'return slices.every(({ from, to }) => Number.isInteger(to) && to > from)',
    from: 'to > from',
    to: 'to >= from',
    why: 'no value falls into an empty slice, in either form of the choice',
  },
  {
    file: 'packages/engine/src/compiled/program.ts',
    line: 'const parents = encoded.dependencies.length > 0 ? this.#linkParents(encoded) : NO_PARENTS',
    from: 'encoded.dependencies.length > 0',
    to: 'true',
    why: 'linking no parents returns an empty list',
  },
  {
    file: 'packages/engine/src/compiled/registry.ts',
    line: 'const MIN_GROWTH = 10_000',
    from: '10_000',
    to: '10001',
    why: 'the size at which a registry is replaced affects memory only',
  },
  {
    file: 'packages/engine/src/compiled/registry.ts',
    line: 'if (!refs || refs.length < 2) return refs',
    from: 'refs.length < 2',
    to: 'refs.length <= 2',
    why: 'two conditions hold alike if they are combined into one, which saves time only',
  },
  {
    file: 'packages/engine/src/compiled/registry.ts',
    line: 'this.#size += list?.length ?? 0',
    from: '0',
    to: '1',
    why: 'the size at which a registry is replaced affects memory only',
  },
  {
    file: 'packages/engine/src/compiled/reasons.ts',
    line: 'const off = conditions > 0 || hasParents ? DEPENDS_ON_REQUEST : SPLIT',
    from: 'conditions > 0 || hasParents',
    to: 'true',
    why: 'the evaluation per request returns the same reason, which costs time only',
  },
  {
    file: 'packages/engine/src/rules/constraints.ts',
    line: 'if (value === undefined) return NO_MATCH',
    from: 'value === undefined',
    to: 'false',
    why: 'a pattern that is no text does not compile, and does not match either',
  },
  {
    file: 'packages/engine/src/rules/profile.ts',
    line: "const number = PERCENTAGE.test(toText(value) ?? '') ? Number(value) : Number.NaN",
    from: "toText(value) ?? ''",
    to: 'toText(value)',
    why: 'the text `undefined` is no number either',
  },
  {
    file: 'packages/engine/src/rules/profile.ts',
    line: "const number = PERCENTAGE.test(toText(value) ?? '') ? Number(value) : Number.NaN",
    from: "''",
    to: "'mutant'",
    why: 'no text that stands for a missing one is a number',
  },
  {
    file: 'packages/engine/src/rules/semver.ts',
    line: 'if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1',
    from: '1',
    to: '2',
    why: 'only the sign of the result counts',
  },
  {
    file: 'packages/engine/src/rules/variants.ts',
    line: "return { contextName, value: request.field(field) ?? '' }",
    from: "''",
    to: "'mutant'",
    why: 'an override decides only for a field that is present',
  },
  {
    file: 'packages/server/src/core/access/rights/listed-permissions.ts',
    line: "grant.project === '*' ? new Set([...environments.values()].flat()) : (environments.get(grant.project ?? '') ?? [])",
    from: "grant.project ?? ''",
    to: 'grant.project',
    why: 'no project has this name',
  },
  {
    file: 'packages/server/src/core/access/rights/listed-permissions.ts',
    line: "grant.project === '*' ? new Set([...environments.values()].flat()) : (environments.get(grant.project ?? '') ?? [])",
    from: "''",
    to: "'mutant'",
    why: 'a grant for environments names its project',
  },
  {
    file: 'packages/server/src/admin/access/group-routes.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source line
    line: 'const one = { ...common, url: `${GROUPS}/:groupId`, params: Type.Object({ groupId: Type.String() }) } as const',
    from: '...common',
    to: '...{}',
    why: 'only administrators may call a route without a permission',
  },
  {
    file: 'packages/server/src/admin/access/service-account-routes.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source line
    line: 'const one = { ...common, url: `${ACCOUNTS}/:accountId`, params } as const',
    from: '...common',
    to: '...{}',
    why: 'only administrators may call a route without a permission',
  },
  {
    file: 'packages/server/src/admin/access/people/inactive-users.ts',
    line: '.filter((row) => Math.max(row.created_at, row.seen_at ?? 0, row.pat_seen_at ?? 0, row.used_at ?? 0) < since)',
    from: 'row.pat_seen_at ?? 0',
    to: 'row.pat_seen_at',
    why: 'null counts as 0',
  },
  {
    file: 'packages/server/src/admin/access/rights/access-overview.ts',
    line: 'role: roles.get(role_id) ?? String(role_id),',
    from: 'roles.get(role_id) ?? String(role_id)',
    to: 'roles.get(role_id)',
    why: 'a role that someone has cannot be removed',
  },
  {
    file: 'packages/engine/src/compiled/compile.ts',
    line: 'warnings: warnings.length > 0 ? warnings : NOTHING,',
    from: 'warnings.length > 0',
    to: 'true',
    why: 'sharing one empty list saves memory only',
  },
  {
    file: 'packages/engine/src/compiled/program.ts',
    line: 'const index = parent === undefined ? undefined : this.#indexes.get(parent)',
    from: 'parent === undefined',
    to: 'false',
    why: 'no flag is stored without a name',
  },
]

/** Returns the row of an equivalent mutant of a source text, or undefined. */
export function findEquivalence({ file, text, line, from, to }) {
  const source = text.split('\n')[line - 1].trim()
  return EQUIVALENTS.find((row) => row.file === file && row.line === source && row.from === from && row.to === to)
}
