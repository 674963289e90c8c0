import type { Event } from '@burgee/protocol/event'
import Mustache from 'mustache'

/** Most characters that a template, or a section of it, may become. */
const LONGEST = 1_000_000
/** Most tokens that are written for one event, those of a section again for each of its elements. */
const MOST_TOKENS = 100_000
/** Most characters that are read as templates for one event: sections of `json` are read anew each time. */
const MOST_READ = 1_000_000
const TOO_MUCH = 'The template becomes too long'

type Writer = InstanceType<typeof Mustache.Writer>

/** Writes one template; what the library's own writer has read it keeps for ever. Sections in sections cannot take the thread from others. */
class BoundedWriter extends Mustache.Writer {
  #tokens = 0
  #read = 0
  #written = 0

  override parse(...given: Parameters<Writer['parse']>) {
    this.#read += given[0].length
    if (this.#read > MOST_READ) throw new Error(TOO_MUCH)
    return super.parse(...given)
  }

  override renderTokens(...given: Parameters<Writer['renderTokens']>) {
    this.#tokens += 1 + given[0].length
    if (this.#tokens > MOST_TOKENS) throw new Error(TOO_MUCH)
    const text = super.renderTokens(...given)
    if (text.length > LONGEST) throw new Error(TOO_MUCH)
    return text
  }

  override escapedValue(...given: Parameters<Writer['escapedValue']>) {
    return this.#note(super.escapedValue(...given))
  }

  override unescapedValue(...given: Parameters<Writer['unescapedValue']>) {
    return this.#note(super.unescapedValue(...given))
  }

  #note(value: string | undefined): string {
    const text = String(value ?? '')
    this.#written += text.length
    if (this.#written > LONGEST) throw new Error(TOO_MUCH)
    return text
  }
}

/** Names by which JavaScript leads from data to code. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** Finds what data itself has, and nothing that it inherits: no name in a template leads to code. */
class DataContext extends Mustache.Context {
  readonly #view: unknown
  readonly #above: DataContext | undefined

  constructor(view: unknown, above?: DataContext) {
    super(view, above)
    this.#view = view
    this.#above = above
  }

  override push(view: unknown): DataContext {
    return new DataContext(view, this)
  }

  override lookup(name: string): unknown {
    const found = name === '.' ? this.#view : this.#find(name.split('.'))
    return typeof found === 'function' ? found.call(this.#view) : found
  }

  /** Value of the nearest context that has all of a path; a single name is no property of a text. */
  #find(path: readonly string[]): unknown {
    const hasNames = path.length > 1 || typeof this.#view === 'object'
    const found = hasNames ? path.reduce(ownValue, this.#view) : undefined
    return found === undefined && this.#above !== undefined ? this.#above.#find(path) : found
  }
}

function ownValue(data: unknown, name: string): unknown {
  if (data === undefined || data === null || typeof data === 'function' || PROTOTYPE_NAMES.has(name)) return undefined
  return Object.hasOwn(Object(data), name) ? Reflect.get(Object(data), name) : undefined
}

/** Throws an error that says what of a template cannot be read. */
export function checkTemplate(template: string): void {
  new BoundedWriter().parse(template)
}

/**
 * A template with an event put in: `{{event.type}}` escapes for HTML, `{{{event.type}}}` does not, `{{{eventJson}}}` is
 * the whole event as JSON in a JSON text. Source: wire protocol. In JSON, `{{#json}}…{{/json}}` is what stands between
 * them as a JSON text with its quotes; an addition. Throws where it becomes too long, or asks for too much work.
 */
export function renderTemplate(template: string, event: Event, more: Readonly<Record<string, string>> = {}): string {
  const view = {
    event,
    eventJson: JSON.stringify(JSON.stringify(event)),
    ...more,
    json: () => (text: string, render: (text: string) => string) =>
      JSON.stringify(render(text.replace(/(?<!\{)\{\{(?![{#^/!>&=])([^{}]+)\}\}(?!\})/g, '{{{$1}}}'))),
  }
  return new BoundedWriter().render(template, new DataContext(view), () => undefined)
}
