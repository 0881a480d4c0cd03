import { catalogue } from './catalogue.ts'

export const eventFeedTexts = catalogue(
  {
    lead: 'All that happened in the last thirty days, whether or not a webhook asked for it.',
    from: 'Read on after sequence',
    fromHint: 'As your consumer does after a break: the last sequence that it saw.',
    read: 'Read on',
    newest: 'Newest first',
    none: 'Nothing happened here yet',
    noneText: 'Each booking, change and payment stands here with what webhooks get.',
    wrong: 'A sequence is a whole number.',
    payload: 'Payload',
  },
  {
    lead: 'Alles, was in den letzten dreißig Tagen geschah, ob ein Webhook danach gefragt hat oder nicht.',
    from: 'Weiterlesen nach Nummer',
    fromHint: 'Wie Ihr Empfänger nach einer Pause: die letzte Nummer (sequence), die er gesehen hat.',
    read: 'Weiterlesen',
    newest: 'Neueste zuerst',
    none: 'Hier ist noch nichts geschehen',
    noneText: 'Jede Buchung, Änderung und Zahlung steht hier mit dem, was Webhooks bekommen.',
    wrong: 'Eine Nummer ist eine ganze Zahl.',
    payload: 'Inhalt',
  },
)
