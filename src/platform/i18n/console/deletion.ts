import { catalogue } from './catalogue.ts'

/** How an owner deletes their organization, and takes that back. */
export const deletionTexts = catalogue(
  {
    title: 'Delete this organization',
    short: 'With all it has. There are {days} days in which you can take it back.',
    open: 'Delete…',
    now: 'At once',
    nowPages: 'Your booking pages are closed, and nothing can be booked any more.',
    nowBookings: 'Bookings to come are cancelled: {count}.',
    nowLetters:
      'Everybody who booked gets an email, calendar entries and meetings go, and who paid gets back what your refund policy says. Refund others before.',
    nowPlan: 'A plan that you pay for does not renew any more.',
    grace: 'For {days} days',
    graceText:
      'You can read and export everything, and take the deletion back here. Cancelled bookings stay cancelled.',
    afterwards: 'After that',
    afterwardsText:
      'Everything is deleted for good: event types, bookings with all that people typed, members, keys, webhooks, connected calendars and the log. Payments stay in your account at the payment provider. The address of your page can be taken by others.',
    exportFirst: 'Download everything first',
    typeName: 'Type the name of the organization: {name}',
    notTheName: 'This is not the name of the organization.',
    delete: 'Delete this organization',
    scheduled: 'This organization will be deleted',
    until: 'From {time} on everything is deleted. Until then you can take it back.',
    underWay: 'It is being deleted. That cannot be taken back any more.',
    byOperator: 'Whoever runs this service deletes it. Ask them if you want to keep it.',
    withdraw: 'Keep this organization',
    kept: 'The organization stays and takes bookings again.',
    asked: 'The organization will be deleted.',
    band: 'This organization will be deleted on {time}. It takes no bookings.',
    bandLink: 'Take it back',
  },
  {
    title: 'Diese Organisation löschen',
    short: 'Mit allem, was dazugehört. {days} Tage lang können Sie es zurücknehmen.',
    open: 'Löschen …',
    now: 'Sofort',
    nowPages: 'Ihre Buchungsseiten sind geschlossen, und es kann nichts mehr gebucht werden.',
    nowBookings: 'Kommende Buchungen werden abgesagt: {count}.',
    nowLetters:
      'Alle, die gebucht haben, erhalten eine E-Mail, Kalendereinträge und Meetings verschwinden, und wer bezahlt hat, bekommt zurück, was Ihre Erstattungsregeln sagen. Erstatten Sie anderen vorher.',
    nowPlan: 'Ein bezahlter Tarif verlängert sich nicht mehr.',
    grace: '{days} Tage lang',
    graceText:
      'Sie können alles lesen und exportieren und die Löschung hier zurücknehmen. Abgesagte Buchungen bleiben abgesagt.',
    afterwards: 'Danach',
    afterwardsText:
      'Alles wird endgültig gelöscht: Terminarten, Buchungen mit allem, was Personen eingegeben haben, Mitglieder, Schlüssel, Webhooks, verbundene Kalender und das Protokoll. Zahlungen bleiben in Ihrem Konto beim Zahlungsanbieter. Die Adresse Ihrer Seite kann von anderen verwendet werden.',
    exportFirst: 'Vorher alles herunterladen',
    typeName: 'Geben Sie den Namen der Organisation ein: {name}',
    notTheName: 'Das ist nicht der Name der Organisation.',
    delete: 'Diese Organisation löschen',
    scheduled: 'Diese Organisation wird gelöscht',
    until: 'Ab {time} wird alles gelöscht. Bis dahin können Sie es zurücknehmen.',
    underWay: 'Sie wird gerade gelöscht. Das lässt sich nicht mehr zurücknehmen.',
    byOperator:
      'Der Betreiber dieses Dienstes löscht sie. Wenden Sie sich an ihn, wenn Sie sie behalten möchten.',
    withdraw: 'Diese Organisation behalten',
    kept: 'Die Organisation bleibt und nimmt wieder Buchungen an.',
    asked: 'Die Organisation wird gelöscht.',
    band: 'Diese Organisation wird am {time} gelöscht. Sie nimmt keine Buchungen an.',
    bandLink: 'Zurücknehmen',
  },
)
