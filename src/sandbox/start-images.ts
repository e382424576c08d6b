import { once } from '../lib/once.ts'
import { built, readPacked } from '../packaging/embedded.ts'
import type { Image } from './image.ts'
import { unpackImage } from './packed-image.ts'

/** The images that every world can be reset to. */
export interface StartImages {
  empty(): Promise<Image>
  demo(): Promise<Image>
}

/** Returns each image, which is made once. The build has packed them: making them takes several times as long. */
export function startImages(make: StartImages): StartImages {
  const find = (name: 'empty' | 'demo') => once(() => (built ? readImage(name) : make[name]()))
  return { empty: find('empty'), demo: find('demo') }
}

function readImage(name: string): Image {
  return unpackImage(readPacked(`sandbox-${name}`))
}
