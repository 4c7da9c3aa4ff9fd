package id
