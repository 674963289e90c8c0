import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { FLAGS_PER_QUERY, ROWS_PER_STATEMENT } from './chunks.ts'
import type { Reader, Schema } from './database.ts'

/**
 * Creates placeholders for values that are supplied later. A placeholder has the type of its value, but must only be
 * passed to the query builder.
 */
export interface Placeholders<V> {
  <K extends keyof V>(key: K): V[K]
  /** Creates placeholders for all values of a list of this length. */
  each<K extends keyof V>(key: K, size: number): V[K]
}

/**
 * Maximum length of lists whose SQL is cached. Lists of different lengths need different SQL. Among longer lists, only
 * lists of the length CHUNK are frequent.
 */
const MAX_CACHED_LIST_LENGTH = 32
const FULL_CHUNK_SIZES: ReadonlySet<number> = new Set([ROWS_PER_STATEMENT, FLAGS_PER_QUERY])
const MAX_CACHED_SHAPES = 64

/** Placeholder for a value, or for one value of a list. */
class Slot<V> {
  readonly #key: keyof V
  readonly #index: number | undefined

  constructor(key: keyof V, index?: number) {
    this.#key = key
    this.#index = index
  }

  getValue(values: V): unknown {
    const value = values[this.#key]
    return this.#index === undefined ? value : (value as readonly unknown[])[this.#index]
  }
}

/**
 * Creates a query that is compiled once per kind of connection, because compiling costs several times as much as
 * sending. Later uses of the query only supply new values. `sizesOf` returns the lengths of the lists among the values;
 * `make` receives these lengths, but no values.
 */
export function defineStatement<V, R, const S extends readonly number[] = readonly [], H extends Reader = Reader>(
  make: (handle: H, at: Placeholders<V>, ...sizes: S) => Compilable<R>,
  sizesOf?: (values: V) => S,
): (handle: H, values: V) => Promise<R[]> {
  const kept = new WeakMap<object, BoundedCache<CompiledQuery<R>>>()
  const at = createPlaceholders<V>()
  const compiledFor = (handle: H, sizes: S): CompiledQuery<R> => {
    if (sizes.some((size) => size > MAX_CACHED_LIST_LENGTH && !FULL_CHUNK_SIZES.has(size)))
      return make(handle, at, ...sizes).compile()
    // a transaction has the same adapter as its connection
    const { adapter } = toKysely(handle).getExecutor()
    const shapes = kept.get(adapter) ?? new BoundedCache<CompiledQuery<R>>({ entries: MAX_CACHED_SHAPES })
    kept.set(adapter, shapes)
    const shape = sizes.join()
    const known = shapes.get(shape)
    if (known !== undefined) return known
    const compiled = make(handle, at, ...sizes).compile()
    shapes.set(shape, compiled)
    return compiled
  }
  return async (handle, values) => {
    const compiled = compiledFor(handle, sizesOf?.(values) ?? ([] as unknown as S))
    const parameters = compiled.parameters.map((one) => (one instanceof Slot ? one.getValue(values) : one))
    const { rows } = await toKysely(handle).executeQuery<R>({ ...compiled, parameters })
    return rows
  }
}

/** Returns the full Kysely object of a handle. The type of a handle hides the methods that write. */
function toKysely(handle: Reader): Kysely<Schema> {
  return handle as Kysely<Schema>
}

function createPlaceholders<V>(): Placeholders<V> {
  const one = <K extends keyof V>(key: K) => new Slot<V>(key) as V[K]
  const each = <K extends keyof V>(key: K, size: number) =>
    Array.from({ length: size }, (_, index) => new Slot<V>(key, index)) as V[K]
  return Object.assign(one, { each })
}
