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
  const made = new Map<string, Promise<Image>>()
  const find = (name: 'empty' | 'demo') => {
    const image = made.get(name) ?? (built ? Promise.resolve(readImage(name)) : make[name]())
    made.set(name, image)
    return image
  }
  return { empty: () => find('empty'), demo: () => find('demo') }
}

function readImage(name: string): Image {
  return unpackImage(readPacked(`sandbox-${name}`))
}
