import type { Event } from '@burgee/protocol/event'
import Mustache from 'mustache'

/** Maximum number of characters in a rendered template, and in a rendered section. */
const MAX_RENDERED_CHARACTERS = 1_000_000
/**
 * Maximum number of template tokens rendered per event. A token in a section counts once for each repetition of the
 * section.
 */
const MAX_TOKENS = 100_000
/**
 * Maximum number of characters that are parsed as templates per event. A section named `json` is parsed again each time
 * it is rendered.
 */
const MAX_PARSED_CHARACTERS = 1_000_000
const TOO_LONG = 'The template becomes too long'

type Writer = InstanceType<typeof Mustache.Writer>

/**
 * Mustache writer for a single template, with limits so that nested sections cannot block the thread. The library's
 * shared writer would cache every parsed template indefinitely.
 */
class BoundedWriter extends Mustache.Writer {
  #tokens = 0
  #read = 0
  #written = 0

  override parse(...given: Parameters<Writer['parse']>) {
    this.#read += given[0].length
    if (this.#read > MAX_PARSED_CHARACTERS) throw new Error(TOO_LONG)
    return super.parse(...given)
  }

  override renderTokens(...given: Parameters<Writer['renderTokens']>) {
    this.#tokens += 1 + given[0].length
    if (this.#tokens > MAX_TOKENS) throw new Error(TOO_LONG)
    const text = super.renderTokens(...given)
    if (text.length > MAX_RENDERED_CHARACTERS) throw new Error(TOO_LONG)
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
    if (this.#written > MAX_RENDERED_CHARACTERS) throw new Error(TOO_LONG)
    return text
  }
}

/** Property names that might give access to code. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** Looks up own properties only, so that no name in a template can reach code through inherited properties. */
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

  /**
   * Returns the value at a path in the nearest context that contains the complete path. If the context is a string, a
   * single name does not match properties of the string.
   */
  #find(path: readonly string[]): unknown {
    const hasNames = path.length > 1 || typeof this.#view === 'object'
    const found = hasNames ? path.reduce(getOwnValue, this.#view) : undefined
    return found === undefined && this.#above !== undefined ? this.#above.#find(path) : found
  }
}

function getOwnValue(data: unknown, name: string): unknown {
  if (data === undefined || data === null || typeof data === 'function' || PROTOTYPE_NAMES.has(name)) return undefined
  return Object.hasOwn(Object(data), name) ? Reflect.get(Object(data), name) : undefined
}

/** Throws an error that describes the syntax error in a template. */
export function checkTemplate(template: string): void {
  new BoundedWriter().parse(template)
}

/**
 * Renders a template for an event: `{{event.type}}` escapes for HTML, `{{{event.type}}}` does not, and
 * `{{{eventJson}}}` is the whole event as JSON within a JSON string. Source: wire protocol. As an addition,
 * `{{#json}}…{{/json}}` renders the content of the section as a JSON string with quotes. Throws if the limits on the
 * result or on the work are exceeded.
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
