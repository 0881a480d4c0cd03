import { catalogue } from './catalogue.ts'

export const imageTexts = catalogue(
  {
    hint: 'A PNG, JPEG or WebP image of at most {size}.',
    upload: 'Upload',
    remove: 'Remove',
    removeOf: 'Remove: {what}',
    none: 'Choose an image first.',
    byAddress: 'Use an image from another site',
  },
  {
    hint: 'Ein Bild in PNG, JPEG oder WebP, höchstens {size}.',
    upload: 'Hochladen',
    remove: 'Entfernen',
    removeOf: 'Entfernen: {what}',
    none: 'Wählen Sie zuerst ein Bild aus.',
    byAddress: 'Ein Bild von einer anderen Website verwenden',
  },
)
