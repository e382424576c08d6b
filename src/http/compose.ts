import type { Layer } from './exchange.ts'

/** Makes one layer of several: each runs with the following ones as its `next`. Koa's own composition adds a promise for each. */
export function compose(layers: readonly Layer[]): Layer {
  const end: Layer = (_ctx, next) => next()
  return layers.reduceRight<Layer>((rest, layer) => (ctx, next) => layer(ctx, () => rest(ctx, next)), end)
}
