import {
  Component,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useState,
} from 'react'
import { useTexts } from '../../text/texts.tsx'
import { showFailure } from '../messages/feedback.ts'
import { ProblemNotice } from '../page/problem.tsx'
import { loadPart, tryLoad } from './load-part.ts'

/**
 * Component that is loaded when first rendered. `fallback` is rendered while the component loads. `preload` loads the
 * component earlier and ignores failures.
 */
export type LazyPart<P> = FunctionComponent<P & { readonly fallback?: ReactNode }> & {
  readonly preload: () => Promise<void>
}

/**
 * Creates a component that is loaded on demand. If loading fails, an error with a retry button appears in place of the
 * component. The rest of the page is not affected. Each part needs a unique `name`.
 */
export function lazyPart<P extends object>(name: string, load: () => Promise<ComponentType<P>>): LazyPart<P> {
  return createLazyPart(name, load, (_props, error, again) => <ProblemNotice error={error} retry={again} />)
}

/** Creates a dialog that is loaded on demand. If loading fails, the component shows a message and closes the dialog. */
export function lazyDialog<P extends { readonly close: (...rest: never[]) => void }>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): LazyPart<P> {
  return createLazyPart(name, load, ({ close }, error) => <LoadFailure error={error} close={close as () => void} />)
}

type Failed<P> = (props: P, error: Error, again: () => void) => ReactNode

function createLazyPart<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  failed: Failed<P>,
): LazyPart<P> {
  const { Inner, begin, preload } = createLoader(name, load)
  function Part({ fallback, ...props }: P & { fallback?: ReactNode }) {
    // Retry after an earlier failure.
    useState(begin)
    const inner = props as unknown as P
    return (
      <ErrorBoundary fallback={(error, again) => failed(inner, error, () => again(begin))}>
        <Suspense fallback={fallback}>
          <Inner {...inner} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  return Object.assign(Part, { preload })
}

function createLoader<P extends object>(name: string, load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined
  let coming: Promise<ComponentType<P>> | undefined
  let hasFailed = false
  const keep = (part: ComponentType<P>): ComponentType<P> => {
    loaded = part
    return part
  }
  const get = (): Promise<ComponentType<P>> => {
    coming ??= loadPart(name, load).then(keep)
    coming.catch(() => {
      hasFailed = true
    })
    return coming
  }
  function Inner(props: P) {
    const Loaded = loaded ?? use(get())
    return <Loaded {...props} />
  }
  return {
    Inner,
    begin: (): void => {
      if (hasFailed) coming = undefined
      hasFailed = false
    },
    preload: async (): Promise<void> => {
      // Errors are reported when the part is rendered.
      await tryLoad(load).then(keep, () => undefined)
    },
  }
}

interface ErrorBoundaryProps {
  readonly fallback: (error: Error, again: (before: () => void) => void) => ReactNode
  readonly children: ReactNode
}

/** Error boundary that shows a fallback. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { fallback, children } = this.props
    if (this.state.error === undefined) return children
    return fallback(this.state.error, (before) => {
      before()
      this.setState({ error: undefined })
    })
  }
}

function LoadFailure({ error, close }: { error: Error; close: () => void }) {
  const t = useTexts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: announces each failure once
  useEffect(() => {
    showFailure(t, t.common.open, error)
    close()
  }, [error])
  return null
}
