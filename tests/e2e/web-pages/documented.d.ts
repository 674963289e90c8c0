declare module 'documented:react.tsx' {
  export const App: import('react').ComponentType
}
declare module 'documented:next.tsx' {
  import type { ComponentType, PropsWithChildren } from 'react'

  export const Flags: ComponentType<PropsWithChildren>
  export const Checkout: ComponentType
}
declare module 'documented:vue.ts' {
  export const App: import('vue').Component
}
declare module 'documented:checkout.svelte' {
  const Checkout: import('svelte').Component
  // biome-ignore lint/style/noDefaultExport: Svelte components are default exports
  export default Checkout
}
