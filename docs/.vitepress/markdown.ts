import type { MarkdownRenderer } from 'vitepress'

/**
 * Links to files beside docs/ lead to the sources, at the address of DOCS_SOURCE_URL (`https://…/blob/main`). Without
 * the repository's address they remain text, because a broken link does not help.
 */
export function linkOutOfDocs(markdown: MarkdownRenderer): void {
  const sources = process.env.DOCS_SOURCE_URL?.replace(/\/$/, '')
  markdown.core.ruler.push('links-out-of-docs', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) turnOutward(children, String(env.relativePath), sources)
  })
}

/** Braces in code stay what they are: pages are templates, and would fill them in. */
export function keepCodeAsIs(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('code-as-it-is', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) if (token.type === 'code_inline') token.attrSet('v-pre', '')
    }
  })
}

/** Names the column in every cell of a table, so that a row can be shown as a block of labelled values. */
export function labelCells(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('labelled-cells', ({ tokens }) => {
    let labels: string[] = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') labels = []
      if (token.type === 'th_open') labels.push(tokens[index + 1]?.content.replaceAll(/[`*]/g, '') ?? '')
      if (token.type === 'tr_open') column = 0
      if (token.type === 'td_open') {
        token.attrSet('data-label', labels[column] ?? '')
        column += 1
      }
    }
  })
}

type Token = Parameters<MarkdownRenderer['renderer']['render']>[0][number]

function turnOutward(tokens: Token[], page: string, sources: string | undefined): void {
  const stack: boolean[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const path = outside(String(token.attrGet('href')), page)
      stack.push(path !== undefined && sources === undefined)
      if (path !== undefined && sources !== undefined) token.attrSet('href', `${sources}/${path}`)
    }
    const isText = token.type === 'link_close' ? stack.pop() : token.type === 'link_open' && stack.at(-1)
    if (isText) Object.assign(token, { tag: 'span', attrs: [], type: token.type.replace('link', 'text_of_link') })
  }
}

/** The path from the root of the sources, where a link leaves docs/. */
function outside(href: string, page: string): string | undefined {
  if (!href.startsWith('../')) return undefined
  const path = new URL(href, `file:///docs/${page}`).pathname.slice(1)
  return path.startsWith('docs/') ? undefined : path
}
