/** Entities that somebody else wrote. */
package com.example.shop;
