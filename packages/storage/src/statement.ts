import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { FLAGS_PER_QUERY, ROWS_PER_STATEMENT } from './chunks.ts'
import type { Reader, Schema } from './database.ts'

/**
 * Creates placeholders for values that are supplied when a prepared query runs. A placeholder has the type of its
 * value, but may only be passed to the query builder.
 */
export interface Placeholders<V> {
  <K extends keyof V>(key: K): V[K]
  /** Creates placeholders for all values of a list with `size` elements. */
  each<K extends keyof V>(key: K, size: number): V[K]
}

/**
 * Maximum length of a list for which the compiled SQL is cached. Each list length needs different SQL. Of the longer
 * lists, only those with exactly CHUNK elements are frequent.
 */
const MAX_CACHED_LIST_LENGTH = 32
const FULL_CHUNK_SIZES: ReadonlySet<number> = new Set([ROWS_PER_STATEMENT, FLAGS_PER_QUERY])
const MAX_CACHED_SHAPES = 64

/** Placeholder for a single value, or for one value of a list. */
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
 * Creates a query that is compiled once per kind of connection, because compiling a query takes several times as long
 * as sending it. When the query is used again, only its values change. `sizesOf` returns the lengths of the lists among
 * the values; `make` receives only these lengths, not the values.
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
    // a transaction has the same adapter as the connection that it uses
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

/** Returns the complete Kysely object behind a handle. The type of a handle hides the methods that write data. */
function toKysely(handle: Reader): Kysely<Schema> {
  return handle as Kysely<Schema>
}

function createPlaceholders<V>(): Placeholders<V> {
  const one = <K extends keyof V>(key: K) => new Slot<V>(key) as V[K]
  const each = <K extends keyof V>(key: K, size: number) =>
    Array.from({ length: size }, (_, index) => new Slot<V>(key, index)) as V[K]
  return Object.assign(one, { each })
}
