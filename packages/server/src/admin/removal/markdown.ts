import { toOneLine } from '@burgee/kit/one-line'

/** Characters that have a meaning in Markdown and HTML: anywhere in a line, or at its start. */
const MARKUP = /[\\`*_[\]<>~&]|^[#+=-]/g

/**
 * Text in Markdown. Only the functions in this file create Markdown objects, so that text from users is always escaped.
 */
export class Markdown {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Formats text from a user as one line without markup. */
  static escape(text: string): Markdown {
    return new Markdown(toOneLine(text).replace(MARKUP, '\\$&'))
  }

  /** Formats text from a user as code, so that markup and line breaks in it have no effect. */
  static code(text: string): Markdown {
    return new Markdown(`\`${toOneLine(text).replaceAll('`', ' ') || ' '}\``)
  }

  /** Formats a web address as a link. */
  static link(url: string): Markdown {
    return new Markdown(
      `<${url.replace(/[<>\s\p{C}]/gu, (character) => encodeURIComponent(character.toWellFormed()))}>`,
    )
  }

  /** Fills in a Markdown template. Values that are not Markdown are escaped. */
  static fill(parts: readonly string[], ...values: readonly (string | number | Markdown)[]): Markdown {
    return new Markdown(parts.reduce((text, part, index) => `${text}${toText(values[index - 1] ?? '')}${part}`))
  }

  /** Joins texts. */
  static join(items: readonly Markdown[], separator: string): Markdown {
    return new Markdown(items.map(({ text }) => text).join(separator))
  }
}

function toText(value: string | number | Markdown): string {
  return value instanceof Markdown ? value.text : Markdown.escape(String(value)).text
}
