import type { Event } from '@burgee/protocol/event'
import Mustache from 'mustache'

/** Most characters that a template may become. */
const LONGEST = 1_000_000

/** Throws an error that says what of a template cannot be read. */
export function checkTemplate(template: string): void {
  Mustache.parse(template)
}

/**
 * A template with an event put in: `{{event.type}}` escapes for HTML, `{{{event.type}}}` does not, `{{{eventJson}}}` is
 * the whole event as JSON in a JSON text. Source: wire protocol. In JSON, `{{#json}}…{{/json}}` is what stands between
 * them as a JSON text with its quotes; an addition. Throws where it becomes too long.
 */
export function renderTemplate(template: string, event: Event, more: Readonly<Record<string, string>> = {}): string {
  const view = {
    event,
    eventJson: JSON.stringify(JSON.stringify(event)),
    ...more,
    json: () => (text: string, render: (text: string) => string) =>
      JSON.stringify(render(text.replace(/(?<!\{)\{\{(?![{#^/!>&=])([^{}]+)\}\}(?!\})/g, '{{{$1}}}'))),
  }
  const text = Mustache.render(template, view, {})
  if (text.length > LONGEST) throw new Error('The template becomes too long')
  return text
}
