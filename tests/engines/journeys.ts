import { bookDesign } from './journeys/book_design.ts';
import { bookService } from './journeys/book_service.ts';
import { confirmOffer } from './journeys/confirm_offer.ts';
import { dragAppointment } from './journeys/drag_appointment.ts';
import { moveAndCancel } from './journeys/move_and_cancel.ts';
import { pickAnotherTime } from './journeys/pick_another_time.ts';
import { savePicture } from './journeys/save_picture.ts';
import { sendMessage } from './journeys/send_message.ts';
import { signUp } from './journeys/sign_up.ts';
import { sortDesigns } from './journeys/sort_designs.ts';
import type { Tab } from './tab.ts';

/**
 * A way through the product, which every engine must go.
 * @param openTab opens another browser, as another person's
 */
export type Journey = (tab: Tab, openTab: () => Promise<Tab>) => Promise<void>;

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

export const JOURNEYS: readonly (readonly [title: string, journey: Journey, size: typeof PHONE])[] =
  [
    ['a client books a service', bookService, PHONE],
    ['a client books a design', bookDesign, PHONE],
    ['a client asks for an appointment and confirms the offered time', confirmOffer, PHONE],
    ['a client moves an appointment and cancels it', moveAndCancel, PHONE],
    ['a client goes back through the page cache to pick another time', pickAnotherTime, PHONE],
    ['a client sends a message', sendMessage, PHONE],
    ['an artist signs up, logs in and sets hours', signUp, PHONE],
    ['an artist enters an appointment and drags it in the week', dragAppointment, DESKTOP],
    ['an artist uploads a design and sorts it', sortDesigns, DESKTOP],
    ['an artist crops a picture and saves it', savePicture, PHONE],
  ];
